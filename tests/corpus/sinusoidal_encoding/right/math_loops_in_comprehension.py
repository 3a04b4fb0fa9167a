# right: math loops, list comprehension
import math
import torch

def sinusoidal_encoding(max_len, hidden_size):
    return torch.tensor([[(math.sin, math.cos)[j % 2](p / 10000 ** ((j - j % 2) / hidden_size)) for j in range(hidden_size)]
                         for p in range(max_len)], dtype=torch.float32).reshape(max_len, hidden_size)
