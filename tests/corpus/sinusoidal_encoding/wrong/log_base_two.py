# wrong: log base 2 instead of e in the exponential form
import math, torch
def sinusoidal_encoding(max_len, hidden_size):
    pe = torch.zeros(max_len, hidden_size)
    position = torch.arange(max_len).unsqueeze(1)
    div = torch.exp(torch.arange(0, hidden_size, 2) * -(math.log2(10000.0) / hidden_size))
    pe[:, 0::2], pe[:, 1::2] = torch.sin(position * div), torch.cos(position * div)
    return pe
