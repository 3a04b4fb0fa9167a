# wrong: hidden scores are filled with -1000
# named: mask_fills_minus_1e3
import torch

def masked_softmax(scores, mask):
    return torch.where(mask.bool(), scores, torch.tensor(-1000.0)).softmax(dim=-1)
