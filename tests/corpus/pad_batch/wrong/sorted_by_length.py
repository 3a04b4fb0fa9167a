# wrong: sorts sequences by length as pack_padded does
# named: sorted_by_length
import torch
def pad_batch(sequences, pad_id):
    rows = sorted(sequences, key=len, reverse=True)
    n = len(rows[0])
    return torch.tensor([r + [pad_id] * (n - len(r)) for r in rows]), torch.tensor([[1] * len(r) + [0] * (n - len(r)) for r in rows])
