# wrong: no token types, default epsilon, positions on the CPU
# named: no_token_types, eps_1e5, wrong_device
import torch, math
from torch import nn
class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.t = nn.Embedding(config.vocab_size, config.hidden_size)
        self.p = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.n = nn.LayerNorm(config.hidden_size)
        self.d = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, ids, types=None):
        return self.d(self.n(self.t(ids) + self.p(torch.arange(ids.shape[1]))))
