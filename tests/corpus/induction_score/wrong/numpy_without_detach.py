# wrong: in NumPy, which takes no attention that requires gradients
import numpy as np
import torch
def induction_score(attention, input_ids):
    a, ids = attention.numpy(), input_ids.numpy()
    same = ids[:, :, None] == np.roll(ids, 1, 1)[:, None, :]
    same[:, :, 0] = False
    same = np.tril(same)
    counted = same.any(-1).sum()
    paid = (a * same[:, None]).sum((0, 2, 3))
    return torch.tensor(paid / max(counted, 1), dtype=attention.dtype)
