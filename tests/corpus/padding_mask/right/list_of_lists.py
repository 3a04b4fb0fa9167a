# right: list of lists
import torch

def padding_mask(attention_mask):
    return torch.stack([torch.stack([row > 0]) for row in attention_mask])
