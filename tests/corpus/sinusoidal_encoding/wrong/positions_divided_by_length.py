# wrong: positions divided by max_len - 1
# named: zero_to_one
import torch


def sinusoidal_encoding(max_len, hidden_size):
    t = torch.arange(max_len) / (max_len - 1)  # from 0 to 1
    half = torch.arange(hidden_size // 2)
    angles = torch.outer(t, torch.pow(torch.tensor(1e-4), half * 2 / hidden_size))
    return torch.stack([angles.sin(), angles.cos()], -1).reshape(max_len, hidden_size)
