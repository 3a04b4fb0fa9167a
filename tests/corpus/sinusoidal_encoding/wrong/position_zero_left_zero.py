# wrong: row 0 is left at zero: the loop counts from position 1
import math
import torch

def sinusoidal_encoding(max_len, hidden_size):
    table = torch.zeros(max_len, hidden_size)
    for pos in range(1, max_len):
        for i in range(0, hidden_size, 2):
            angle = pos / 10000 ** (i / hidden_size)
            table[pos, i], table[pos, i + 1] = math.sin(angle), math.cos(angle)
    return table
