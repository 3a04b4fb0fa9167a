# wrong: einsum with the weights transposed: sums over queries
# named: weights_transposed
import torch

def scaled_dot_product_attention(query, key, value, mask=None):
    s = torch.einsum("bqd,bkd->bqk", query, key) / query.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask == 0, float("-inf"))
    return torch.einsum("bkq,bkv->bqv", s.softmax(-1), value)
