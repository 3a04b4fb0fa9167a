# right: loops over sentences and positions
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    total, count = 0.0, 0
    for row, ids in zip(logits, input_ids):
        for t in range(len(ids) - 1):
            total = total - F.log_softmax(row[t], dim=0)[ids[t + 1]]
            count += 1
    return total / count
