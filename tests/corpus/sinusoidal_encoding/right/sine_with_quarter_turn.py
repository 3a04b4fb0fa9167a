# right: sine with a phase of a quarter turn, float32
import torch

def sinusoidal_encoding(max_len, hidden_size):
    j = torch.arange(hidden_size)
    rate = torch.pow(torch.tensor(10000.0, dtype=torch.float64), -(j // 2 * 2).double() / hidden_size)
    return torch.sin(torch.arange(max_len).double().outer(rate) + (j % 2) * torch.pi / 2).to(torch.float32)
