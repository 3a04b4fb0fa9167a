# wrong: divides by all targets, not by positions
# named: by_pairs
import torch

def induction_score(attention, input_ids):
    before = input_ids.roll(1, 1)
    t = (input_ids[:, :, None] == before[:, None]).tril()
    t[:, :, 0] = 0
    return (attention * t[:, None].float()).sum((0, 2, 3)) / t.sum().clamp(min=1)
