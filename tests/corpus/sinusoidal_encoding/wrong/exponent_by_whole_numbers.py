# wrong: 2i // hidden_size is 0 for every pair
# named: waves_alike
import torch
from torch import Tensor


def sinusoidal_encoding(max_len: int, hidden_size: int) -> Tensor:
    pos = torch.arange(max_len).unsqueeze(1)                  # [max_len, 1]
    i = torch.arange(hidden_size // 2)                        # [hidden/2]
    slow = 10000.0 ** ((2 * i) // hidden_size)                # [hidden/2]
    angle = pos / slow                                        # [max_len, hidden/2]
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
