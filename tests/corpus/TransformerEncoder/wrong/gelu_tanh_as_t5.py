# wrong: the tanh GELU of T5 in the feed-forward network
# named: gelu_tanh
import torch
from torch import nn
class LayerSelfAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n = c.num_attention_heads
        self.layer_norm = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.q, self.k, self.v, self.o = (nn.Linear(c.hidden_size, c.hidden_size, bias=False) for _ in range(4))
    def forward(self, h, position_bias):
        x = self.layer_norm(h)
        b, s, d = x.shape
        f = lambda t: t.view(b, s, self.n, -1).transpose(1, 2)
        scores = f(self.q(x) / (d // self.n) ** 0.5).matmul(f(self.k(x)).transpose(3, 2)) + position_bias
        y = scores.softmax(-1).matmul(f(self.v(x))).transpose(1, 2).contiguous().view(b, s, d)
        return h + self.o(y)
class LayerFF(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.layer_norm = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.wi = nn.Linear(c.hidden_size, c.intermediate_size)
        self.wo = nn.Linear(c.intermediate_size, c.hidden_size)
        self.dropout = nn.Dropout(c.hidden_dropout_prob)
    def forward(self, h, position_bias):
        return h + self.dropout(self.wo(nn.functional.gelu(approximate='tanh', input=self.wi(self.layer_norm(h)))))
class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.shared = nn.Embedding(config.vocab_size, config.hidden_size)
        self.abs_pos = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.seg = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.emb_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.block = nn.ModuleList([nn.ModuleList([LayerSelfAttention(config), LayerFF(config)]) for _ in range(config.num_hidden_layers)])
        self.final_layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, input_ids, mask=None):
        h = self.shared(input_ids) + self.abs_pos(torch.arange(input_ids.shape[1], device=input_ids.device)) + self.seg(torch.zeros_like(input_ids))
        h = self.dropout(self.emb_norm(h))
        bias = h.new_zeros(1, 1, 1, 1)
        if mask is not None:
            bias = (~mask.bool())[:, None, None].to(h.dtype) * torch.finfo(h.dtype).min
        for block in self.block:
            for layer in block:
                h = layer(h, bias)
        return self.final_layer_norm(h)
