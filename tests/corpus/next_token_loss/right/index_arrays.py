# right: index arrays
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    b, s = input_ids.shape
    i, t = torch.arange(b)[:, None], torch.arange(s - 1)
    return -logits.log_softmax(-1)[i, t, input_ids[:, 1:]].mean()
