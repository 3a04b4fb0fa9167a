import math

import torch
from torch import nn


def softmax(x, dim):
    return torch.softmax(x, dim)


def masked_softmax(scores, mask):
    return softmax(scores.masked_fill(mask == 0, float("-inf")), dim=-1)
