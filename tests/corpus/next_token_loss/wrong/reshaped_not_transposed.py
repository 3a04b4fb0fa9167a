# wrong: reshape instead of transpose
# named: positions_for_pieces
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    b, s, v = logits[:, :-1].shape
    return F.cross_entropy(logits[:, :-1].reshape(b, v, s), input_ids[:, 1:])
