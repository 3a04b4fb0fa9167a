# wrong: two ahead: shifted by the caller and here
# named: two_ahead
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    logits, input_ids = logits[:, :-1], input_ids[:, 1:]
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), input_ids[:, 1:])
