# wrong: where with arguments the other way
# named: mask_inverted_finite
import torch
def masked_softmax(scores, mask):
    s = torch.where(mask.bool(), torch.tensor(-1e30), scores)
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)
