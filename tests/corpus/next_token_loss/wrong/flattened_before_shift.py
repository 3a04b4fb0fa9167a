# wrong: flattened before the shift
# named: across
import torch
import torch.nn.functional as F
from torch import nn


def next_token_loss(logits, input_ids):
    return F.cross_entropy(logits.flatten(0, 1)[:-1], input_ids.flatten()[1:])
