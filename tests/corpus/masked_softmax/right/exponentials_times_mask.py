# right: exponentials times the mask, with the maximum of all keys taken off
import torch


def masked_softmax(scores, mask):
    m = mask.bool()
    e = torch.exp(scores - scores.amax(-1, keepdim=True)) * m
    return e / e.sum(-1, keepdim=True)
