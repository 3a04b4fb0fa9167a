# right: the tokens rolled by one, the last column cut from the losses
import torch
from torch.nn import functional as F


def next_token_loss(logits, input_ids):
    goals = torch.roll(input_ids, shifts=-1, dims=1)
    losses = F.cross_entropy(logits.flatten(0, 1), goals.flatten(), reduction="none")
    losses = losses.view(input_ids.shape)[:, :-1]     # what rolled round is cut
    return losses.mean()
