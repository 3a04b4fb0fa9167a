import math

import torch
from torch import nn


def softmax(x, dim):
    e = x.exp()
    return e / e.sum(dim, keepdim=True)


def masked_softmax(scores, mask):
    return softmax(scores.masked_fill(mask == 0, float("-inf")), dim=-1)


def attention_scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    weights = softmax(scores, -1) if mask is None else masked_softmax(scores, mask)
    return weights @ value
