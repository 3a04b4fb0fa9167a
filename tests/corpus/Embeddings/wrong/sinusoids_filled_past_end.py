# wrong: a table of sinusoids is filled past its end in the constructor
import torch, math
from torch import nn
class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.t = nn.Embedding(config.vocab_size, config.hidden_size)
        self.s = nn.Embedding(config.type_vocab_size, config.hidden_size)
        pe = torch.zeros(config.max_position_embeddings, config.hidden_size)
        for pos in range(config.max_position_embeddings):
            for i in range(0, config.hidden_size, 2):
                pe[pos, i] = math.sin(pos / 10000 ** (i / config.hidden_size))
                pe[pos, i + 1] = math.cos(pos / 10000 ** (i / config.hidden_size))
        self.register_buffer("pe", pe)
        self.n = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.d = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, ids, types=None):
        if types is None:
            types = torch.zeros_like(ids)
        return self.d(self.n(self.t(ids) + self.pe[: ids.shape[1]] + self.s(types)))
