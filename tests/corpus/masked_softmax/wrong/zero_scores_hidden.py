# wrong: scores times the mask, then zeros are hidden: a visible score of 0 vanishes
import torch

def masked_softmax(scores, mask):
    seen = scores * mask
    return torch.softmax(seen.masked_fill(seen == 0, -torch.inf), dim=-1)
