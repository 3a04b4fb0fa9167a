import torch
def attention_scores(query, key):
    return torch.einsum("nqc,mkc->nqk", query, key) * query.shape[-1] ** -0.5
