# wrong: the tanh formula, computed in 64 bits
# named: gelu_tanh
import math
import torch

def gelu(x):
    y = x.double()
    return (0.5 * y * (1 + torch.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)))).to(x.dtype)
