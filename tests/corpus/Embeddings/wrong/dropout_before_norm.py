# wrong: dropout before the LayerNorm
# named: dropout_place
import torch
from torch import nn
from torch.nn import functional as F


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        mk = lambda n: nn.Parameter(torch.randn(n, config.hidden_size) * 0.02)
        self.a, self.b, self.c = mk(config.vocab_size), mk(config.max_position_embeddings), mk(config.type_vocab_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.p = config.hidden_dropout_prob

    def forward(self, input_ids, token_type_ids=None):
        t = self.c[0] if token_type_ids is None else self.c[token_type_ids]
        x = self.a[input_ids] + self.b[: input_ids.size(1)] + t
        return self.norm(F.dropout(x, self.p, self.training))
