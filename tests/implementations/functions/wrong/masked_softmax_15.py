import torch

def masked_softmax(scores, mask):
    s = (scores - scores.max()).exp() * mask
    return s / s.sum(-1, keepdim=True)
