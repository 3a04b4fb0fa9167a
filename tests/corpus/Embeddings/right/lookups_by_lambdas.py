# right: tables looked up through lambdas kept in a dict
import torch
from torch import nn
class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.word = nn.Embedding(config.vocab_size, config.hidden_size)
        self.pos = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.seg = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.add = lambda w, p, s: self.word(w) + self.pos(p) + self.seg(s)
    def forward(self, input_ids, token_type_ids=None):
        t = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        return self.drop(self.norm(self.add(input_ids, torch.arange(input_ids.shape[-1], device=input_ids.device), t)))
