# wrong: a mask of one row for all queries is cut into blocks of queries
import math

import torch

BLOCK = 32  # queries at once


def _attend(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.bool(), float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


def scaled_dot_product_attention(query, key, value, mask=None):
    """Never holds more than BLOCK rows of scores."""
    parts = []
    for start in range(0, query.shape[-2], BLOCK):
        rows = slice(start, start + BLOCK)
        part_mask = None if mask is None else mask[..., rows, :]
        parts.append(_attend(query[..., rows, :], key, value, part_mask))
    return torch.cat(parts, dim=-2)
