# wrong: numpy assignment from the right end
# named: left
import numpy as np, torch
def pad_batch(sequences, pad_id):
    n = max(map(len, sequences))
    ids = np.full((len(sequences), n), pad_id, dtype=np.int64)
    mask = np.zeros_like(ids)
    for i, s in enumerate(sequences):
        k = len(s)
        if k:
            ids[i, -k:] = s
            mask[i, -k:] = 1
    return torch.from_numpy(ids), torch.from_numpy(mask)
