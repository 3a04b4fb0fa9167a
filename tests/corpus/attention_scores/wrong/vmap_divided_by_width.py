# wrong: vmap; divided by d, not its root
# named: scaled_by_width
import torch

def attention_scores(query, key):
    one = lambda q, k: torch.dot(q, k) / q.shape[0]
    return torch.vmap(torch.vmap(torch.vmap(one, in_dims=(None, 0)), in_dims=(0, None)))(query, key)
