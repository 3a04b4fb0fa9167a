# right: numpy, boolean mask assignment of concatenated ids
import numpy as np, torch
def pad_batch(sequences, pad_id):
    lens = np.array([len(s) for s in sequences])
    mask = np.arange(lens.max())[None, :] < lens[:, None]
    out = np.full(mask.shape, pad_id, dtype=np.int64)
    out[mask] = np.concatenate([np.asarray(s, dtype=np.int64) for s in sequences])
    return torch.from_numpy(out), torch.from_numpy(mask.astype("int64"))
