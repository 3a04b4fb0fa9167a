# wrong: positions along the columns, reshaped instead of transposed
# named: features_reshaped
import torch
from torch import Tensor


def sinusoidal_encoding(max_len: int, hidden_size: int) -> Tensor:
    position = torch.arange(max_len, dtype=torch.float32)
    freq = 10000 ** (-torch.arange(0, hidden_size, 2, dtype=torch.float32) / hidden_size)
    angle = torch.outer(freq, position)                       # [pair, position]
    waves = torch.stack([angle.sin(), angle.cos()], dim=1)    # [pair, 2, position]
    return waves.reshape(max_len, hidden_size)
