# wrong: √2 is 1.4142
import math
import torch
def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / 1.4142))
