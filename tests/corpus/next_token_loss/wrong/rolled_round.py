# wrong: rolled round
# named: around
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    return F.cross_entropy(logits.transpose(1, 2), input_ids.roll(-1, 1))
