# wrong: softmax over positions
# named: softmax_over_positions
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    lp = F.log_softmax(logits[:, :-1], dim=1)
    return -lp.gather(-1, input_ids[:, 1:, None]).mean()
