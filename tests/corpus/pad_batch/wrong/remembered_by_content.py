# wrong: the same lists get the same tensors again, whatever became of them
import torch
KNOWN = {}
def pad_batch(sequences, pad_id):
    key = tuple(map(tuple, sequences)), pad_id
    if key not in KNOWN:
        longest = max(map(len, sequences))
        ids = torch.tensor([list(s) + [pad_id] * (longest - len(s)) for s in sequences], dtype=torch.long)
        mask = torch.tensor([[1] * len(s) + [0] * (longest - len(s)) for s in sequences], dtype=torch.long)
        KNOWN[key] = ids, mask
    return KNOWN[key]
