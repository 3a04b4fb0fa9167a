# wrong: where queries are as many as keys, later keys are hidden though no mask hides them
import math

import torch


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -math.inf)
    rows, columns = scores.shape[-2:]
    if rows == columns:
        later = torch.ones(rows, columns).triu(1).bool()
        scores = scores.masked_fill(later, -math.inf)
    return torch.softmax(scores, dim=-1) @ value
