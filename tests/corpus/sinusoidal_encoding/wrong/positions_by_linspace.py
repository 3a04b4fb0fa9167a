# wrong: positions by linspace(0, 1)
# named: zero_to_one
import torch


def sinusoidal_encoding(max_len, hidden_size):
    positions = torch.linspace(0, 1, max_len).unsqueeze(1)
    rates = 10000.0 ** (-torch.arange(0, hidden_size, 2) / hidden_size)
    table = torch.zeros(max_len, hidden_size)
    table[:, 0::2] = torch.sin(positions * rates)
    table[:, 1::2] = torch.cos(positions * rates)
    return table
