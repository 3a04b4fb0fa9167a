# wrong: the mask counts one padding id as real
import torch
def pad_batch(sequences, pad_id):
    n = max(len(s) for s in sequences)
    ids = torch.full((len(sequences), n), pad_id)
    mask = torch.zeros(len(sequences), n, dtype=torch.long)
    for i, s in enumerate(sequences):
        ids[i, : len(s)] = torch.tensor(s)
        mask[i, : len(s) + 1] = 1
    return ids, mask
