# wrong: beyond 3 and −3 the function is cut to x and to 0
# named: cut_at_3
import math
import torch
def gelu(x):
    y = 0.5 * x * torch.erfc(-x / math.sqrt(2))
    y = torch.where(x > 3, x, y)
    return y.masked_fill(x < -3, 0.0)
