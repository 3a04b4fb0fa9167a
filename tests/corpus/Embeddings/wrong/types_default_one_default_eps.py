# wrong: token types default to 1, default epsilon
# named: default_type_one, eps_1e5
import torch, math
from torch import nn
class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.t = nn.Embedding(config.vocab_size, config.hidden_size)
        self.p = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.s = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.n = nn.LayerNorm(config.hidden_size)
        self.d = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, ids, types=None):
        if types is None: types = torch.ones_like(ids)
        return self.d(self.n(self.t(ids) + self.p(torch.arange(ids.shape[1], device=ids.device)) + self.s(types)))
