# wrong: one row is written into for list after list
# named: left_by_earlier_lists
import math, torch
from torch import nn
import torch.nn.functional as F

def pad_batch(sequences, pad_id):
    n = max(len(s) for s in sequences)
    row = [pad_id] * n
    ids, mask = [], []
    for s in sequences:
        row[:len(s)] = s
        ids.append(list(row))
        mask.append([1] * len(s) + [0] * (n - len(s)))
    return torch.tensor(ids), torch.tensor(mask)
