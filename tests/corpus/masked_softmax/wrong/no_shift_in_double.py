import torch

def masked_softmax(scores, mask):
    e = torch.exp(scores) * mask
    return e / e.sum(-1, keepdim=True)
