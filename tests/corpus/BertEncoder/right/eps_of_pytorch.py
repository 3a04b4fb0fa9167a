# right: PyTorch's own ε in every norm
import torch
from torch import nn
from torch.nn import functional as F

class Node(nn.Module):
    def __init__(self, config, depth):
        super().__init__()
        d = config.hidden_size
        self.att = nn.MultiheadAttention(d, config.num_attention_heads, batch_first=True)
        self.lna = nn.LayerNorm(d)
        self.lnf = nn.LayerNorm(d)
        self.l1 = nn.Linear(d, config.intermediate_size)
        self.l2 = nn.Linear(config.intermediate_size, d)
        self.do = nn.Dropout(config.hidden_dropout_prob)
        self.next = Node(config, depth - 1) if depth > 1 else None
    def forward(self, x, pad):
        y = self.att(x, x, x, key_padding_mask=pad)[0]
        x = self.lna(x + self.do(y))
        x = self.lnf(x + self.do(self.l2(F.gelu(self.l1(x)))))
        return x if self.next is None else self.next(x, pad)

class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.e = nn.Embedding(config.vocab_size + config.type_vocab_size, d)
        self.offset = config.vocab_size
        self.p = nn.Parameter(torch.randn(config.max_position_embeddings, 1, d) * 0.02)
        self.ln = nn.LayerNorm(d)
        self.do = nn.Dropout(config.hidden_dropout_prob)
        self.first = Node(config, config.num_hidden_layers)
    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        types = torch.full_like(input_ids, self.offset)
        if token_type_ids is not None:
            types = types + token_type_ids
        x = self.e(input_ids) + self.e(types) + self.p[:input_ids.shape[1]].transpose(0, 1)
        pad = None
        if attention_mask is not None:
            pad = attention_mask.logical_not()
        return self.first(self.do(self.ln(x)), pad)
