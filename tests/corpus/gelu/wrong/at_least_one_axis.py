# wrong: torch.cat over rows: a single number has none
import math
import torch

def gelu(x):
    rows = [r * (1 + torch.erf(r / math.sqrt(2))) / 2 for r in x]
    return torch.stack(rows)
