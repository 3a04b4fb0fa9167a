# wrong: tensorflow tutorial: sines then cosines concatenated
# named: halves
import numpy as np, torch
def sinusoidal_encoding(max_len, hidden_size):
    depth = hidden_size / 2
    positions = np.arange(max_len)[:, np.newaxis]
    depths = np.arange(depth)[np.newaxis, :] / depth
    angle_rads = positions * (1 / (10000 ** depths))
    return torch.tensor(np.concatenate([np.sin(angle_rads), np.cos(angle_rads)], axis=-1), dtype=torch.float32)
