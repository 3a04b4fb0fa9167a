# wrong: own softmax(x, dim=-1) default; fills 0
# named: mask_fills_zero
import torch

def softmax(x, dim=-1):
    x = x - torch.amax(x, dim, True)
    e = torch.exp(x)
    return e / e.sum(dim, keepdim=True)

def masked_softmax(scores, mask):
    return softmax(scores * mask)
