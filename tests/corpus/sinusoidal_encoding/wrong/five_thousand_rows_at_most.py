# wrong: slices a table of 5000 rows, however many are asked for
import math
import torch
def sinusoidal_encoding(max_len, hidden_size):
    pe = torch.zeros(5000, hidden_size)
    position = torch.arange(5000).float().unsqueeze(1)
    div_term = torch.exp(torch.arange(0, hidden_size, 2).float() * (-math.log(10000.0) / hidden_size))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe[:max_len]
