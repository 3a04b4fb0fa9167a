# right: narrow and nll_loss
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    n = logits.size(1) - 1
    logp = torch.log_softmax(logits.narrow(1, 0, n), dim=-1)
    return F.nll_loss(logp.reshape(-1, logits.size(2)), input_ids.narrow(1, 1, n).reshape(-1))
