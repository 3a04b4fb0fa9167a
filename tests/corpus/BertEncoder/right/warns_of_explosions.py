# right: warns once on exploding activations: if x.abs().max() > 1e4
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

class FSAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.scaling = self.head_dim ** -0.5
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        nn.init.xavier_uniform_(self.in_proj_weight)

    def in_proj_part(self, x, a, b):
        e = self.embed_dim
        return F.linear(x, self.in_proj_weight[a * e:b * e], self.in_proj_bias[a * e:b * e])

    def forward(self, query, key_value, mask=None):
        # batch first in, time x batch inside
        q_in, kv_in = query.transpose(0, 1), key_value.transpose(0, 1)
        tgt, bsz, e = q_in.shape
        src = kv_in.shape[0]
        q = self.in_proj_part(q_in, 0, 1) * self.scaling
        k, v = self.in_proj_part(kv_in, 1, 3).chunk(2, -1)
        q = q.contiguous().view(tgt, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        k = k.contiguous().view(src, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        v = v.contiguous().view(src, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        w = torch.bmm(q, k.transpose(1, 2))
        if mask is not None:
            keep = mask.bool().expand(bsz, tgt, src)
            w = w.view(bsz, self.num_heads, tgt, src)
            w = w.masked_fill(~keep.unsqueeze(1), float("-inf")).view(-1, tgt, src)
        w = F.softmax(w.float(), dim=-1).type_as(w)
        a = torch.bmm(w, v).transpose(0, 1).contiguous().view(tgt, bsz, e)
        return self.out_proj(a).transpose(0, 1)

class SentenceEncoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.self_attn = FSAttention(args.hidden_size, args.num_attention_heads)
        self.self_attn_layer_norm, self.final_layer_norm = nn.LayerNorm(args.hidden_size, args.layer_norm_eps), nn.LayerNorm(args.hidden_size, args.layer_norm_eps)
        self.fc1, self.fc2 = nn.Linear(args.hidden_size, args.intermediate_size), nn.Linear(args.intermediate_size, args.hidden_size)
        self.dropout = args.hidden_dropout_prob
    def forward(self, x, mask=None):
        residual = x
        x = F.dropout(self.self_attn(x, x, mask), p=self.dropout, training=self.training)
        x = self.self_attn_layer_norm(residual + x)
        residual = x
        x = self.fc2(F.gelu(self.fc1(x)))
        x = F.dropout(x, p=self.dropout, training=self.training)
        return self.final_layer_norm(residual + x)

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
import warnings
class BertEncoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.embed, self.layers = InputLayer(args), nn.ModuleList(SentenceEncoderLayer(args) for _ in range(args.num_hidden_layers))
    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        x = self.embed(input_ids, token_type_ids)
        if x.abs().max().item() > 1e4:
            warnings.warn("exploding")
        for layer in self.layers:
            x = layer(x, None if attention_mask is None else attention_mask.unsqueeze(1))
        return x
