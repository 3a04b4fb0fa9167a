# wrong: divides by 2 ** 1, and then by 2
# named: by_four
import torch
def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / 2 ** 1 / 2))
