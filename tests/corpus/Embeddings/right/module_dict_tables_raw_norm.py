# right: tables in a ModuleDict, norm raw stacked [2, d]
import torch
from torch import nn
import torch.nn.functional as F


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.e = nn.ModuleDict(dict(t=nn.Embedding(config.type_vocab_size, d), p=nn.Embedding(config.max_position_embeddings, d), w=nn.Embedding(config.vocab_size, d)))
        self.n = nn.Parameter(torch.stack([torch.ones(d), torch.zeros(d)]))
        self.eps, self.drop = config.layer_norm_eps, config.hidden_dropout_prob

    def forward(self, input_ids, token_type_ids=None):
        kind = input_ids * 0 if token_type_ids is None else token_type_ids
        x = self.e["w"](input_ids) + self.e["t"](kind) + self.e["p"].weight[: input_ids.shape[1]]
        return F.dropout(F.layer_norm(x, x.shape[-1:], self.n[0], self.n[1], self.eps), self.drop, self.training)
