# wrong: roll puts the last token in front of the first
# named: around
import torch

def induction_score(attention, input_ids):
    prev = torch.roll(input_ids, 1, dims=1)
    hit = (input_ids[:, :, None] == prev[:, None, :]).tril()
    n = hit.any(-1).sum().clamp(min=1)
    return (attention * hit[:, None]).sum((0, 2, 3)) / n
