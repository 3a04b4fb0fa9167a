# wrong: looks back sixteen positions and no further
import torch
from torch import nn

def induction_score(attention, input_ids):
    before = input_ids.roll(1, dims=1)
    targets = input_ids.unsqueeze(2) == before.unsqueeze(1)
    targets[:, :, 0] = False
    targets = targets.tril()
    targets = targets.triu(-16)
    counted = targets.any(dim=-1).sum()
    paid = attention * targets.unsqueeze(1)
    return paid.sum(dim=(0, 2, 3)) / counted.clamp(min=1)
