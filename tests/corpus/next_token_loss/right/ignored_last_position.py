# right: ignored last position
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    goals = torch.full_like(input_ids, -100)
    goals[:, :-1] = input_ids[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), goals.flatten())
