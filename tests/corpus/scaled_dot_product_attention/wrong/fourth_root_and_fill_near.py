# wrong: the fourth root of d_k, and hidden keys filled near the lowest score
# named: scaled_by_fourth_root, mask_fills_below_least
import torch


def scaled_dot_product_attention(query, key, value, mask=None):
    root = query.shape[-1] ** 0.25
    q = query / root
    k = key
    energy = torch.einsum("bid,bjd->bij", q, k)
    if mask is not None:
        floor = energy.detach().min().item() - 10.0
        energy = energy.masked_fill(mask == 0, floor)
    boltzmann = torch.exp(energy - energy.amax(dim=-1, keepdim=True))
    z = boltzmann.sum(dim=-1, keepdim=True)
    return torch.einsum("bij,bjv->biv", boltzmann / z, value)
