# wrong: exponent counts features, not pairs
# named: column_exponent
import numpy as np
import torch

def sinusoidal_encoding(max_len, hidden_size):
    angle = np.arange(max_len)[:, None] / 10000 ** (np.arange(hidden_size)[None] / hidden_size)
    angle[:, 0::2], angle[:, 1::2] = np.sin(angle[:, 0::2]), np.cos(angle[:, 1::2])
    return torch.tensor(angle, dtype=torch.float32)
