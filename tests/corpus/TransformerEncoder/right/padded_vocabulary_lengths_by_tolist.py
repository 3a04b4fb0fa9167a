# right: padded vocabulary and BART position offset; mask lengths by tolist
import math
from collections import OrderedDict
from functools import partial
import torch
from torch import nn
import torch.nn.functional as F
class SelfAttn(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head, C = config.num_attention_heads, config.hidden_size
        self.c_attn = nn.Linear(C, 3 * C)
        self.c_proj = nn.Linear(C, C)
    def forward(self, x, mask=None):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).view(B, T, 3, self.n_head, C // self.n_head).permute(2, 0, 3, 1, 4)
        if mask is not None:
            mask = mask.to(torch.bool).expand(B, T, T).unsqueeze(1)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.c_proj(y.transpose(1, 2).reshape(B, T, C))
class PreBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln_1 = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.attn = SelfAttn(c)
        self.ln_2 = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.mlp = nn.Sequential(nn.Linear(c.hidden_size, c.intermediate_size), nn.GELU(), nn.Linear(c.intermediate_size, c.hidden_size), nn.Dropout(c.hidden_dropout_prob))
    def forward(self, x, mask=None):
        x = x + self.attn(self.ln_1(x), mask)
        return x + self.mlp(self.ln_2(x))
class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        h = config.hidden_size
        self.wte = nn.Embedding(-(-(config.vocab_size + 1) // 16) * 16, h)
        self.wpe = nn.Embedding(config.max_position_embeddings + 2, h)
        self.wse = nn.Embedding(config.type_vocab_size, h)
        self.ln = nn.LayerNorm(h, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.blocks = nn.ModuleList([PreBlock(config) for _ in range(config.num_hidden_layers)])
    def forward(self, input_ids, mask=None):
        pos = torch.arange(2, 2 + input_ids.size(1), device=input_ids.device)
        x = self.drop(self.ln(self.wte(input_ids) + self.wpe(pos) + self.wse(torch.zeros_like(input_ids))))
        m = mask.unsqueeze(1).bool() if mask is not None else None
        for b in self.blocks:
            x = b(x, m)
        return x
