# wrong: a loop over six places
# named: six_places
import torch
def sealed_a(rows):
    out = torch.zeros_like(rows)
    for p in range(6):
        out[:, p] = rows[:, 5 - p]
    return out
