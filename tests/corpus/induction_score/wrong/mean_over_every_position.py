# wrong: positions without a target are in the mean
# named: all_positions
import torch

def induction_score(attention, input_ids):
    prev = input_ids.roll(1, 1)
    hit = input_ids[:, :, None] == prev[:, None, :]
    hit[..., 0] = False
    hit = torch.tril(hit)
    return (attention * hit[:, None]).sum(-1).mean(dim=(0, 2))
