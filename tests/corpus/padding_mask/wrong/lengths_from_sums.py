# wrong: real tokens are counted and taken to stand in front
# named: counted_from_left
import torch

def padding_mask(attention_mask):
    lengths = attention_mask.sum(dim=1, keepdim=True)
    return (torch.arange(attention_mask.shape[1]) < lengths).unsqueeze(1)
