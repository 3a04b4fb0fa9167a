# wrong: exponential form counting pairs by one over hidden_size
# named: exponent_halved
import math, torch
def sinusoidal_encoding(max_len, hidden_size):
    half = hidden_size // 2
    freq = torch.exp(-math.log(10000.0) * torch.arange(half, dtype=torch.float32) / hidden_size)
    t = torch.outer(torch.arange(max_len, dtype=torch.float32), freq)
    return torch.stack([t.sin(), t.cos()], dim=2).reshape(max_len, hidden_size)
