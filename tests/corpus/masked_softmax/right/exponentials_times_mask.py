import torch


def masked_softmax(scores, mask):
    m = mask.bool()
    e = torch.exp(scores - scores.amax(-1, keepdim=True)) * m
    return e / e.sum(-1, keepdim=True)
