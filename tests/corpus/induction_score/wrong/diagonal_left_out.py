# wrong: a position is never its own target
# named: not_itself
import torch

def induction_score(attention, input_ids):
    before = input_ids.roll(1, 1)
    t = (input_ids[:, :, None] == before[:, None]).tril(-1)
    t[:, :, 0] = False
    n = t.any(-1).sum().clamp(min=1)
    return (attention * t[:, None]).sum((0, 2, 3)) / n
