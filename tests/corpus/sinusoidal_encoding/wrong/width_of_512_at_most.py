# wrong: features behind the 512th stay 0
import math

import torch


def sinusoidal_encoding(max_len, hidden_size):
    table = torch.zeros(max_len, hidden_size)
    for pair in range(min(hidden_size, 512) // 2):
        angles = torch.arange(max_len) * math.exp(-math.log(10000.0) * 2 * pair / hidden_size)
        table[:, 2 * pair] = angles.sin()
        table[:, 2 * pair + 1] = angles.cos()
    return table
