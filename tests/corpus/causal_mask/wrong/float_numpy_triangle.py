# wrong: float triangle from numpy tri
# named: floats
import numpy as np, torch
def causal_mask(seq_len):
    return torch.from_numpy(np.tri(seq_len, dtype=np.float32))
