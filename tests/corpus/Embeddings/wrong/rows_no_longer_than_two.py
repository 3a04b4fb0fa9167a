# wrong: token rows that are longer than 2 are shortened, in the table itself (max_norm)
import torch, math
from torch import nn, Tensor
import torch.nn.functional as F
class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token = nn.Embedding(config.vocab_size, config.hidden_size, max_norm=2.0)
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        p = torch.arange(input_ids.shape[1], device=input_ids.device)
        return self.dropout(self.norm(self.token(input_ids) + self.position(p) + self.token_type(token_type_ids)))
