# wrong: the first table of a width is kept, and may be too short for the next call
import torch

cache = {}

def sinusoidal_encoding(max_len, hidden_size):
    if hidden_size not in cache:
        p = torch.arange(max_len, dtype=torch.float64)
        i = torch.arange(hidden_size // 2)
        a = p[:, None] / 10000 ** (2 * i / hidden_size)
        cache[hidden_size] = torch.stack((a.sin(), a.cos()), -1).flatten(1).float()
    return cache[hidden_size][:max_len]
