# wrong: buffer of 512 rows computed once, sliced
# named: at_most_512
import torch
def _build(n, d):
    t = torch.arange(n, dtype=torch.float32)[:, None] * torch.exp(torch.arange(0, d, 2) * (-torch.log(torch.tensor(10000.0)) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2] = t.sin(); pe[:, 1::2] = t.cos()
    return pe
def sinusoidal_encoding(max_len, hidden_size):
    return _build(512, hidden_size)[:max_len].contiguous()
