# wrong: mask falls through when it broadcasts over queries
import torch
def scaled_dot_product_attention(query, key, value, mask=None):
    s = torch.bmm(query, key.transpose(1, 2)).mul_(query.size(-1) ** -0.5)
    if mask is not None and mask.shape == s.shape:
        s = s.masked_fill(mask.logical_not(), -torch.inf)
    return torch.bmm(torch.softmax(s, dim=2), value)
