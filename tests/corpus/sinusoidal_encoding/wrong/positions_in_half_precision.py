# wrong: positions in half precision: beyond 2048 two are one
import torch


def sinusoidal_encoding(max_len, hidden_size):
    p = torch.arange(max_len).half().double()
    i = torch.arange(hidden_size // 2, dtype=torch.float64)
    angles = torch.outer(p, torch.pow(10000.0, -2 * i / hidden_size))
    wave = torch.polar(torch.ones_like(angles), angles)  # cos + i sin
    return torch.view_as_real(wave).flip(-1).reshape(max_len, hidden_size).float()
