# right: torch.vmap over batch, queries and keys
import torch

def attention_scores(query, key):
    one = lambda q, k: torch.dot(q, k) / q.shape[0] ** 0.5
    keys = torch.vmap(one, in_dims=(None, 0))
    queries = torch.vmap(keys, in_dims=(0, None))
    return torch.vmap(queries)(query, key)
