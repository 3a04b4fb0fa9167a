# right: tensorflow tutorial: full angle matrix, where on parity
import torch
def sinusoidal_encoding(max_len, hidden_size):
    col = torch.arange(hidden_size).double()[None]
    angle = torch.arange(max_len).double()[:, None] * torch.pow(1e4, -(2 * torch.floor(col / 2)) / hidden_size)
    return torch.where(col % 2 == 0, angle.sin(), angle.cos()).to(torch.float32)
