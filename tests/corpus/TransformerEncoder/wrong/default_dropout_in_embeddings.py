# wrong: nn.Dropout() in the embeddings
# named: dropout_rate
import math, torch
from torch import nn
class Embeddings(nn.Module):
    def __init__(self, c, p):
        super().__init__()
        self.t = nn.Embedding(c.vocab_size, c.hidden_size)
        self.p = nn.Embedding(c.max_position_embeddings, c.hidden_size)
        self.s = nn.Embedding(c.type_vocab_size, c.hidden_size)
        self.n = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.d = p
    def forward(self, ids):
        x = self.t(ids) + self.p(torch.arange(ids.shape[1], device=ids.device)) + self.s(torch.zeros_like(ids))
        return self.d(self.n(x))
class Attn(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h = c.num_attention_heads
        self.qkv = nn.Linear(c.hidden_size, 3*c.hidden_size)
        self.o = nn.Linear(c.hidden_size, c.hidden_size)
        self.drop = nn.Dropout(0.1)
    def forward(self, x, m):
        b, s, e = x.shape
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k, v = (t.view(b, s, self.h, -1).transpose(1, 2) for t in (q, k, v))
        sc = q @ k.mT / math.sqrt(q.shape[-1])
        if m is not None:
            sc = sc.masked_fill(m[:, None, None, :] == 0, -1e9)
        return self.o((self.drop(sc.softmax(-1)) @ v).transpose(1, 2).reshape(b, s, e))
class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n1 = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.n2 = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.a = Attn(c)
        self.f = nn.Sequential(nn.Linear(c.hidden_size, c.intermediate_size), nn.GELU(), nn.Linear(c.intermediate_size, c.hidden_size), nn.Dropout(FF(c)))
    def forward(self, x, m):
        x = x + self.a(self.n1(x), m)
        return x + self.f(self.n2(x))
FF = lambda c: c.hidden_dropout_prob
class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.e = Embeddings(config, nn.Dropout())
        self.layers = nn.ModuleList([Layer(config) for _ in range(config.num_hidden_layers)])
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
    def forward(self, input_ids, mask=None):
        x = self.e(input_ids)
        for l in self.layers:
            x = l(x, mask)
        return self.norm(x)
