# wrong: the power binds before the division of the exponent by d
# named: power_first
import torch
def sinusoidal_encoding(seq_len, hidden_size):
    pos = torch.arange(seq_len).unsqueeze(1).float()
    i = torch.arange(0, hidden_size, 2).float()
    out = torch.zeros(seq_len, hidden_size)
    out[:, 0::2] = torch.sin(pos / 10000.0 ** i / hidden_size)
    out[:, 1::2] = torch.cos(pos / 10000.0 ** i / hidden_size)
    return out
