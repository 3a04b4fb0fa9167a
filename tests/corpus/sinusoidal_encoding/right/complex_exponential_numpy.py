# right: complex exponential in numpy
import numpy as np
import torch

def sinusoidal_encoding(max_len, hidden_size):
    rate = np.exp(-np.log(10000.0) * np.arange(0, hidden_size, 2) / hidden_size)
    z = np.exp(1j * np.outer(np.arange(max_len), rate))
    out = np.empty((max_len, hidden_size), dtype=np.float32)
    out[:, ::2], out[:, 1::2] = z.imag, z.real
    return torch.from_numpy(out)
