# wrong: log of softmax
# named: log_of_softmax
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    p = logits[:, :-1].softmax(-1).gather(-1, input_ids[:, 1:, None])
    return -p.log().mean()
