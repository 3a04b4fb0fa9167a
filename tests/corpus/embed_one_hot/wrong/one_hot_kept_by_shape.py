# wrong: the one-hot vectors of an earlier call are used for ids of the same shape
# named: earlier_call_counts
import torch

_kept = {}

def embed_one_hot(token_ids, table):
    place = (token_ids.shape, table.shape[0])
    if place not in _kept:
        _kept[place] = torch.eye(table.shape[0], dtype=table.dtype)[token_ids]
    return _kept[place] @ table
