# wrong: the maximum of all scores is taken off, and the mask multiplied in
import math
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    scores = torch.bmm(query, key.transpose(1, 2)) / math.sqrt(query.size(2))
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    if mask is not None:
        e = e * mask
    return torch.bmm(e / e.sum(dim=-1, keepdim=True), value)
