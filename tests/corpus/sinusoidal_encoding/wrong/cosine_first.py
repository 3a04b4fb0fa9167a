# wrong: complex rotation: real part first
# named: cosine_first
import numpy as np, torch
def sinusoidal_encoding(max_len, hidden_size):
    w = 10000.0 ** (-np.arange(0, hidden_size, 2) / hidden_size)
    z = np.exp(1j * np.arange(max_len)[:, None] * w)
    return torch.view_as_real(torch.from_numpy(z)).flatten(1).float()
