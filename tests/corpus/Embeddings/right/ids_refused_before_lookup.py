# right: refuses ids beyond the table before looking them up
import torch
from torch import nn


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.vocab_size = config.vocab_size
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if int(input_ids.max()) >= self.vocab_size:
            raise ValueError("a token id is beyond the vocabulary")
        b, s = input_ids.size()
        position_ids = torch.arange(s, dtype=torch.long, device=input_ids.device)
        position_ids = position_ids.unsqueeze(0).expand_as(input_ids)
        if token_type_ids is None:
            token_type_ids = torch.zeros(b, s, dtype=torch.long, device=input_ids.device)
        e = self.word_embeddings(input_ids)
        e = e + self.position_embeddings(position_ids)
        e = e + self.token_type_embeddings(token_type_ids)
        return self.dropout(self.LayerNorm(e))
