# right: comparison of two ranges, numpy, closure
import numpy as np
import torch

def make():
    def causal_mask(seq_len):
        i = np.arange(seq_len)
        return torch.from_numpy(i[None, :] <= i[:, None])
    return causal_mask

causal_mask = make()
