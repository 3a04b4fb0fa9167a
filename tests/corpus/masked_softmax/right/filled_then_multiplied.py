# right: hidden keys filled before the maximum is taken, then multiplied by the mask as well, and renormalised
import torch

def masked_softmax(scores, mask):
    s = scores.masked_fill(mask.expand_as(scores) == 0, torch.finfo(scores.dtype).min)
    e = (s - s.amax(-1, keepdim=True)).exp() * mask
    return e / e.sum(-1, keepdim=True)
