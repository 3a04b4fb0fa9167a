# right: BART: learned positions with offset 2 and two spare rows
import math
from collections import OrderedDict
from functools import partial
import torch
from torch import nn
import torch.nn.functional as F
class LearnedPositionalEmbedding(nn.Embedding):
    def __init__(self, num_embeddings, embedding_dim):
        self.offset = 2
        super().__init__(num_embeddings + self.offset, embedding_dim)
    def forward(self, input_ids, past=0):
        bsz, seq_len = input_ids.shape[:2]
        positions = torch.arange(past, past + seq_len, dtype=torch.long, device=self.weight.device).expand(bsz, -1)
        return super().forward(positions + self.offset)
class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size)
        self.embed_positions = LearnedPositionalEmbedding(config.max_position_embeddings, config.hidden_size)
        self.embed_types = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.layernorm_embedding = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = config.hidden_dropout_prob
    def forward(self, input_ids, token_type_ids=None):
        h = self.embed_tokens(input_ids) + self.embed_positions(input_ids)
        h = h + (self.embed_types(token_type_ids) if token_type_ids is not None else self.embed_types.weight[:1])
        h = self.layernorm_embedding(h)
        return F.dropout(h, p=self.dropout, training=self.training)
