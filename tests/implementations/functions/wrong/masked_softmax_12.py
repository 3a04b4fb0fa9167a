import torch

def masked_softmax(scores, mask):
    return torch.softmax(scores + (1.0 - mask.float()) * -10000.0, dim=-1)
