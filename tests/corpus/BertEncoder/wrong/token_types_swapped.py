# wrong: token types swapped by 1 - ids
# named: token_types_swapped
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

class DenseGeneral(nn.Module):
    def __init__(self, spec, kshape, bshape):
        super().__init__()
        self.spec = spec
        self.kernel = nn.Parameter(torch.randn(*kshape) / math.sqrt(kshape[0]))
        self.bias = nn.Parameter(torch.zeros(*bshape))
    def forward(self, x):
        return torch.einsum(self.spec, x, self.kernel) + self.bias

class MultiHeadDotProductAttention(nn.Module):
    def __init__(self, features, num_heads):
        super().__init__()
        D = features // num_heads
        mk = lambda: DenseGeneral('btf,fhd->bthd', (features, num_heads, D), (num_heads, D))
        self.query, self.key, self.value = mk(), mk(), mk()
        self.out = DenseGeneral('bthd,hdf->btf', (num_heads, D, features), (features,))
    def forward(self, inputs_q, inputs_kv, mask=None):
        q, k, v = self.query(inputs_q), self.key(inputs_kv), self.value(inputs_kv)
        q = q / math.sqrt(q.shape[-1])
        logits = torch.einsum('...qhd,...khd->...hqk', q, k)
        if mask is not None:
            logits = torch.where(mask.bool().unsqueeze(-3), logits, torch.full_like(logits, -1e10))
        w = torch.softmax(logits, -1)
        return self.out(torch.einsum('...hqk,...khd->...qhd', w, v))

class FlaxBertLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        d, m = c.hidden_size, c.intermediate_size
        self.attn = MultiHeadDotProductAttention(d, c.num_attention_heads)
        self.wi, self.wo = DenseGeneral('btf,fm->btm', (d, m), (m,)), DenseGeneral('btm,mf->btf', (m, d), (d,))
        self.ln = nn.ModuleDict({'attn': nn.LayerNorm(d, c.layer_norm_eps), 'mlp': nn.LayerNorm(d, c.layer_norm_eps)})
        self.rate = c.hidden_dropout_prob
    def forward(self, x, mask=None):
        drop = lambda t: F.dropout(t, self.rate, self.training)
        x = self.ln['attn'](x + drop(self.attn(x, x, mask)))
        return self.ln['mlp'](x + drop(self.wo(F.gelu(self.wi(x)))))

class InputLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.wte = nn.Parameter(0.02 * torch.randn(c.vocab_size, c.hidden_size))
        self.wpe = nn.Parameter(0.02 * torch.randn(c.max_position_embeddings, c.hidden_size))
        self.wse = nn.Parameter(0.02 * torch.randn(c.type_vocab_size, c.hidden_size))
        self.g = nn.Parameter(torch.ones(c.hidden_size))
        self.b = nn.Parameter(torch.zeros(c.hidden_size))
        self.eps, self.p = c.layer_norm_eps, c.hidden_dropout_prob

    def forward(self, ids, segments=None):
        seg = torch.zeros_like(ids) if segments is None else segments
        h = self.wte[ids] + self.wpe[: ids.shape[-1]] + self.wse[seg]
        h = F.layer_norm(h, h.shape[-1:], self.g, self.b, self.eps)
        return F.dropout(h, self.p, self.training)
class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.inp, self.stack = InputLayer(config), nn.ModuleList(FlaxBertLayer(config) for _ in range(config.num_hidden_layers))
    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.inp(input_ids, 1 - token_type_ids)
        for layer in self.stack:
            x = layer(x, attention_mask[:, None] if attention_mask is not None else None)
        return x
