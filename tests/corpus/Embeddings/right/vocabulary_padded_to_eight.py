# right: vocabulary padded to a multiple of 8, as Megatron and nanoGPT do
import math
from collections import OrderedDict
from functools import partial
import torch
from torch import nn
import torch.nn.functional as F
class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        padded = (config.vocab_size // 8 + 1) * 8
        self.word = nn.Embedding(padded, config.hidden_size)
        self.pos = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.seg = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.ln = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, input_ids, token_type_ids=None):
        seg = self.seg(token_type_ids if token_type_ids is not None else torch.zeros_like(input_ids))
        pos = self.pos(torch.arange(input_ids.size(1)).type_as(input_ids))
        return self.drop(self.ln(self.word(input_ids) + pos + seg))
