# right: unbinds the time axis and goes through pairs of neighbours
import torch
from torch.nn import functional as F


def next_token_loss(logits, input_ids):
    steps = logits.unbind(1)
    tokens = input_ids.unbind(1)
    losses = [F.cross_entropy(now, after) for now, after in zip(steps, tokens[1:])]
    return sum(losses) / len(losses)
