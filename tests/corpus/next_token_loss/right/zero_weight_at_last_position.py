# right: weights of zero at the last position, in 64 bits
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    weight = torch.ones(input_ids.shape, dtype=torch.float64)
    weight[:, -1] = 0
    goals = torch.roll(input_ids, shifts=-1, dims=1)
    losses = F.cross_entropy(logits.double().permute(0, 2, 1), goals, reduction="none")
    return ((losses * weight).sum() / weight.sum()).to(logits.dtype)
