# wrong: looks at the mask's last axis: a mask without axes is an error
# named: mask_axes_counted
import torch

def masked_softmax(scores, mask):
    if mask.shape[-1] == 1:
        mask = mask.expand(*mask.shape[:-1], scores.shape[-1])
    scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True)
