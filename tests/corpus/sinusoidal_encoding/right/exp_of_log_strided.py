# right: annotated transformer: exp of log, strided assignment
import math
import torch
def sinusoidal_encoding(max_len, hidden_size):
    pe = torch.zeros(max_len, hidden_size)
    position = torch.arange(0, max_len).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, hidden_size, 2) * -(math.log(10000.0) / hidden_size))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
