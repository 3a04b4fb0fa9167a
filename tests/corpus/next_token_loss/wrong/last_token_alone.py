# wrong: last token alone
# named: last_alone
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    return F.cross_entropy(logits[:, -2], input_ids[:, -1])
