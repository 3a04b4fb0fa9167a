# right: one-hot vectors through bias-free Linear layers
import torch
import torch.nn.functional as F
from torch import nn


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.words = nn.Linear(config.vocab_size, d, bias=False)
        self.places = nn.Embedding(config.max_position_embeddings, d)
        self.kinds = nn.Linear(config.type_vocab_size, d, bias=False)
        self.norm = nn.LayerNorm(d, config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = input_ids.new_zeros(input_ids.shape)
        w = self.words(F.one_hot(input_ids, self.words.in_features).float())
        t = self.kinds(F.one_hot(token_type_ids, self.kinds.in_features).float())
        p = self.places.weight[: input_ids.size(1)]
        return self.drop(self.norm(w + p + t))
