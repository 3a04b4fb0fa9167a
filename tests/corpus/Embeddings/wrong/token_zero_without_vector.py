# wrong: token 0 is given no vector (mask)
import torch
from torch import nn

class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Embedding(config.vocab_size, config.hidden_size)
        self.b = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.c = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        token_type_ids = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        x = self.norm(self.a(input_ids) + self.b.weight[: input_ids.size(-1)] + self.c(token_type_ids))
        return self.drop(x * input_ids.ne(0).unsqueeze(-1))
