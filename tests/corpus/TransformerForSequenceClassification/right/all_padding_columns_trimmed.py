# right: trims all-pad columns: int(mask.sum(1).max()) after the embedding
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

class SelfAttn(nn.Module):
    def __init__(self, config):
        super().__init__()
        assert config.hidden_size % config.num_attention_heads == 0
        self.c_attn = nn.Linear(config.hidden_size, 3 * config.hidden_size, bias=False)
        self.c_proj = nn.Linear(config.hidden_size, config.hidden_size, bias=False)
        self.n_head, self.n_embd = config.num_attention_heads, config.hidden_size

    def forward(self, x, mask=None):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in (q, k, v))
        m = None if mask is None else mask.bool().unsqueeze(-3)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=m)
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))

class PreBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln_1, self.attn, self.ln_2 = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps), SelfAttn(c), nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.mlp = nn.Sequential(nn.Linear(c.hidden_size, c.intermediate_size), nn.GELU(), nn.Linear(c.intermediate_size, c.hidden_size), nn.Dropout(c.hidden_dropout_prob))
    def forward(self, x, mask=None):
        x = x + self.attn(self.ln_1(x), mask)
        return x + self.mlp(self.ln_2(x))

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
class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.inp, self.norm = InputLayer(config), nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.blocks = nn.ModuleList(PreBlock(config) for _ in range(config.num_hidden_layers))
        self.drop, self.lin = nn.Dropout(config.hidden_dropout_prob), nn.Linear(config.hidden_size, config.num_labels)
    def forward(self, input_ids, mask=None):
        x = self.inp(input_ids)
        if mask is None:
            mask = torch.ones_like(input_ids)
        last = int(mask.nonzero()[:, 1].max()) + 1
        x, mask = x[:, :last], mask[:, :last]
        for b in self.blocks:
            x = b(x, mask[:, None])
        return self.lin(self.drop(self.norm(x)[:, 0]))
