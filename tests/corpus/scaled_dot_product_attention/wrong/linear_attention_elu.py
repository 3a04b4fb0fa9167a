# wrong: linear attention: elu + 1 feature maps
import torch
import torch.nn.functional as F
def scaled_dot_product_attention(query, key, value, mask=None):
    q, k = F.elu(query) + 1, F.elu(key) + 1
    s = torch.einsum("bqd,bkd->bqk", q, k)
    if mask is not None:
        s = s * mask
    return s @ value / s.sum(-1, keepdim=True)
