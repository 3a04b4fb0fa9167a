# wrong: vmap; divided by the root rounded down to an integer
# named: root_cut
import torch
from torch.func import vmap
def attention_scores(query, key):
    root = int(query.shape[-1] ** 0.5)
    return vmap(lambda q, k: q @ k.T / root)(query, key)
