import torch

def masked_softmax(scores, mask):
    if mask.dim() == 2:
        mask = mask[:, None, :]
    return softmax(scores.masked_fill(mask == 0, float("-inf")), -1)
