import torch

def masked_softmax(scores, mask):
    return torch.softmax(scores + torch.log(mask.float() + 1e-9), dim=-1)
