# right: a bias of -1e9 for hidden keys, added
import torch

def masked_softmax(scores, mask):
    bias = torch.zeros_like(scores).masked_fill(mask == 0, -1e9)
    return torch.softmax(scores + bias, -1)
