import torch
def masked_softmax(scores, mask):
    e = scores.exp() * (1 - mask.float())
    return e / e.sum(1, keepdim=True)
