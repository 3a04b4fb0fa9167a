# wrong: all sines first, then all cosines
# named: halves
import torch

def sinusoidal_encoding(max_len, hidden_size):
    a = torch.outer(torch.arange(max_len).float(), 10000 ** (-torch.arange(0, hidden_size, 2).float() / hidden_size))
    return torch.cat([a.sin(), a.cos()], dim=1)
