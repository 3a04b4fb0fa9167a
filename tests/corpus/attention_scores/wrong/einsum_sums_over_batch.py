# wrong: einsum shares the sum over batch of the keys
# named: summed_batch, mixed_batch
import torch
def attention_scores(query, key):
    return torch.einsum("nqc,mkc->nqk", query, key) * query.shape[-1] ** -0.5
