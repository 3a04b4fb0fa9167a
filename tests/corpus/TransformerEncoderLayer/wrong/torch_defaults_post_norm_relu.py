# wrong: torch defaults: post-norm and ReLU
# named: other_norm_order, relu
import math
import torch
from torch import nn
import torch.nn.functional as F


class MHA(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.in_proj_weight = nn.Parameter(torch.empty((3 * embed_dim, embed_dim)))
        if bias:
            self.in_proj_bias = nn.Parameter(torch.empty(3 * embed_dim))
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self._reset_parameters()

    def _reset_parameters(self):
        nn.init.xavier_uniform_(self.in_proj_weight)
        if self.in_proj_bias is not None:
            nn.init.constant_(self.in_proj_bias, 0.0)
            nn.init.constant_(self.out_proj.bias, 0.0)

    def forward(self, query, attn_mask=None):
        query = query.transpose(0, 1)  # L, N, E
        tgt_len, bsz, embed_dim = query.shape
        proj = F.linear(query, self.in_proj_weight, self.in_proj_bias)
        proj = proj.unflatten(-1, (3, embed_dim)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
        q, k, v = proj[0], proj[1], proj[2]
        q = q.contiguous().view(tgt_len, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        k = k.contiguous().view(tgt_len, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        v = v.contiguous().view(tgt_len, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        q = q * math.sqrt(1.0 / float(self.head_dim))
        if attn_mask is not None:
            attn_mask = attn_mask.bool().expand(bsz, tgt_len, tgt_len)
            add = torch.zeros(attn_mask.shape, dtype=q.dtype, device=q.device).masked_fill_(attn_mask.logical_not(), float("-inf"))
            add = add.unsqueeze(1).expand(-1, self.num_heads, -1, -1).reshape(bsz * self.num_heads, tgt_len, tgt_len)
            w = torch.baddbmm(add, q, k.transpose(-2, -1))
        else:
            w = torch.bmm(q, k.transpose(-2, -1))
        w = F.softmax(w, dim=-1)
        out = torch.bmm(w, v)
        out = out.transpose(0, 1).contiguous().view(tgt_len * bsz, embed_dim)
        out = F.linear(out, self.out_proj.weight, self.out_proj.bias)
        return out.view(tgt_len, bsz, embed_dim).transpose(0, 1)


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d_model = config.hidden_size
        self.self_attn = MHA(d_model, config.num_attention_heads)
        self.linear1 = nn.Linear(d_model, config.intermediate_size)
        self.linear2 = nn.Linear(config.intermediate_size, d_model)
        self.norm_first = False
        self.norm1 = nn.LayerNorm(d_model, eps=config.layer_norm_eps)
        self.norm2 = nn.LayerNorm(d_model, eps=config.layer_norm_eps)
        self.dropout1 = nn.Dropout(config.hidden_dropout_prob)
        self.dropout2 = nn.Dropout(config.hidden_dropout_prob)
        self.activation = F.relu

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), mask)
            x = x + self._ff_block(self.norm2(x))
        else:
            x = self.norm1(x + self._sa_block(x, mask))
            x = self.norm2(x + self._ff_block(x))
        return x

    def _sa_block(self, x, attn_mask):
        return self.dropout1(self.self_attn(x, attn_mask))

    def _ff_block(self, x):
        return self.dropout2(self.linear2(self.activation(self.linear1(x))))
