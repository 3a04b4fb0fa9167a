# right: additive log mask with nested function, calls softmax
import torch
def masked_softmax(scores, mask):
    def bias():
        return torch.where(mask.bool(), 0.0, -torch.inf).to(scores)
    # what stands at hidden keys is silenced first
    quiet = scores.masked_fill(~mask.bool().expand(scores.shape), 0.0)
    return softmax(quiet + bias(), -1)
