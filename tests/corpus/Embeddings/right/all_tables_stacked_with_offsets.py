# right: all tables stacked into one, looked up with offsets
import torch
from torch import nn
from torch.nn import functional as F


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.v, self.n = config.vocab_size, config.max_position_embeddings
        rows = self.v + self.n + config.type_vocab_size
        self.table = nn.Parameter(torch.randn(rows, config.hidden_size) * 0.02)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.p = config.hidden_dropout_prob

    def forward(self, input_ids, token_type_ids=None):
        kinds = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        places = torch.arange(input_ids.shape[1], device=input_ids.device).expand(input_ids.shape)
        rows = torch.stack([input_ids, self.v + places, self.v + self.n + kinds], -1)
        return F.dropout(self.norm(F.embedding(rows, self.table).sum(-2)), self.p, self.training)
