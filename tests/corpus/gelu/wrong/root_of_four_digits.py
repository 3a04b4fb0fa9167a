# wrong: 1/√2 is 0.7071
import math
import torch
def gelu(x):
    return 0.5 * x * (1 + torch.erf(x * 0.7071))
