# right: the formula for one pair of vectors, lifted to all pairs by three vmaps
import torch
from torch import nn
from torch.func import vmap


def energy(q, k, W, U, v):
    return v @ torch.tanh(W @ q + U @ k)


over_keys = vmap(energy, in_dims=(None, 0, None, None, None))
over_queries = vmap(over_keys, in_dims=(0, None, None, None, None))
over_batch = vmap(over_queries, in_dims=(0, 0, None, None, None))


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        made = {"W": (hidden_dim, query_dim), "U": (hidden_dim, key_dim), "v": (hidden_dim,)}
        for name, shape in made.items():
            start = torch.empty(shape).uniform_(-1, 1) / shape[-1] ** 0.5
            self.register_parameter(name, nn.Parameter(start))

    def forward(self, query, key):
        return over_batch(query, key, self.W, self.U, self.v)
