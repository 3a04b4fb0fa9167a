# wrong: in-place on the input
# named: changes_its_input
import math
import torch

def gelu(x):
    chance = 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    return x.mul_(chance)
