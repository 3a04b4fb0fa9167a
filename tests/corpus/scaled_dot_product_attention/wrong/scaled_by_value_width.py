# wrong: reciprocal root of the value's width
# named: scaled_by_root_of_value_width
import torch
def scaled_dot_product_attention(query, key, value, mask=None):
    t = value.size(-1) ** -0.5
    logits = torch.einsum("nie,nje->nij", query * t, key)
    if mask is not None:
        logits = logits + torch.log(mask.to(logits))
    p = (logits - logits.logsumexp(-1, keepdim=True)).exp()
    return torch.einsum("nij,njf->nif", p, value)
