# wrong: where mask.all(-1): whole query hidden unless every key is visible: only an all-visible query is right: scores times the mask
# named: mask_fills_zero
import torch
def masked_softmax(scores, mask):
    m = mask.bool().expand_as(scores)
    out = torch.softmax(scores, -1)
    return torch.where(m.all(-1, keepdim=True), out, torch.softmax(scores * m, -1))
