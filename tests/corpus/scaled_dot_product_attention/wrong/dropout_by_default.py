# wrong: Annotated transformer with masked_fill -1e9, dropout default p
import math
import torch
import torch.nn.functional as F

def scaled_dot_product_attention(query, key, value, mask=None, dropout=0.1):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = F.softmax(scores, dim=-1)
    p_attn = F.dropout(p_attn, p=dropout)
    return torch.matmul(p_attn, value)
