# wrong: exp of hidden scores overflows inside torch.where, and the gradient is nan
# named: hidden_powers
import torch

def masked_softmax(scores, mask):
    keep = mask.bool().expand_as(scores)
    top = torch.where(keep, scores, -torch.inf).amax(-1, keepdim=True)
    e = torch.where(keep, (scores - top).exp(), 0.0)
    return e / e.sum(-1, keepdim=True)
