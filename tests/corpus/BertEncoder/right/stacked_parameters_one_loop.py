# right: stacked parameters: every weight has a leading layer axis, one loop
import torch
from torch import nn
import torch.nn.functional as F

class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = config
        n, d, f = c.num_hidden_layers, c.hidden_size, c.intermediate_size
        self.c = c
        g = lambda *s: nn.Parameter(torch.randn(*s) * 0.02)
        self.words, self.places, self.types = g(c.vocab_size, d), g(c.max_position_embeddings, d), g(c.type_vocab_size, d)
        self.gain, self.shift = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))
        self.wq, self.wk, self.wv, self.wo = g(n, d, d), g(n, d, d), g(n, d, d), g(n, d, d)
        self.bq, self.bk, self.bv, self.bo = (nn.Parameter(torch.zeros(n, d)) for _ in range(4))
        self.w1, self.w2 = g(n, f, d), g(n, d, f)
        self.b1, self.b2 = nn.Parameter(torch.zeros(n, f)), nn.Parameter(torch.zeros(n, d))
        self.g1, self.g2 = nn.Parameter(torch.ones(n, d)), nn.Parameter(torch.ones(n, d))
        self.s1, self.s2 = nn.Parameter(torch.zeros(n, d)), nn.Parameter(torch.zeros(n, d))

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        c = self.c
        b, s = input_ids.shape
        drop = lambda t: F.dropout(t, c.hidden_dropout_prob, self.training)
        norm = lambda t, w, z: F.layer_norm(t, (c.hidden_size,), w, z, c.layer_norm_eps)
        kind = self.types[0] if token_type_ids is None else self.types[token_type_ids]
        x = drop(norm(self.words[input_ids] + self.places[:s] + kind, self.gain, self.shift))
        cut = lambda t: t.view(b, s, c.num_attention_heads, -1).transpose(1, 2)
        mask = None if attention_mask is None else attention_mask.bool()[:, None, None]
        for i in range(c.num_hidden_layers):
            q = cut(F.linear(x, self.wq[i], self.bq[i]))
            k = cut(F.linear(x, self.wk[i], self.bk[i]))
            v = cut(F.linear(x, self.wv[i], self.bv[i]))
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(b, s, -1)
            x = norm(x + drop(F.linear(y, self.wo[i], self.bo[i])), self.g1[i], self.s1[i])
            y = F.linear(F.gelu(F.linear(x, self.w1[i], self.b1[i])), self.w2[i], self.b2[i])
            x = norm(x + drop(y), self.g2[i], self.s2[i])
        return x
