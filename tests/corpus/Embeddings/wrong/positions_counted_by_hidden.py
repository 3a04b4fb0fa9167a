# wrong: as many positions as hidden_size says
# named: positions_by_another, wrong_device
import torch
from torch import nn
class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.t = nn.Embedding(config.vocab_size, config.hidden_size)
        self.p = nn.Embedding(config.hidden_size, config.hidden_size)
        self.y = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.n = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.d = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        p = torch.arange(input_ids.shape[1])
        return self.d(self.n(self.t(input_ids) + self.p(p) + self.y(token_type_ids)))
