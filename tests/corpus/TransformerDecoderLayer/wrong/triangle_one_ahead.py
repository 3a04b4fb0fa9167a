# wrong: tril(diagonal=1): one step of the future is visible
# named: causal_one_ahead
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
class TransformerDecoderLayer(nn.Module):
    def __init__(self, args):
        super().__init__()
        d = args.hidden_size
        self.self_attn, self.encoder_attn = FSAttention(d, args.num_attention_heads), FSAttention(d, args.num_attention_heads)
        self.ln1, self.ln2, self.ln3 = [nn.LayerNorm(d, eps=args.layer_norm_eps) for _ in range(3)]
        self.fc1, self.fc2, self.p = nn.Linear(d, args.intermediate_size), nn.Linear(args.intermediate_size, d), args.hidden_dropout_prob
    def forward(self, x, memory, memory_mask=None):
        n = x.size(1)
        look = torch.tril(torch.ones(n, n), diagonal=1).bool()
        y = self.ln1(x)
        x = x + self.self_attn(y, y, look)
        x = x + self.encoder_attn(self.ln2(x), memory, memory_mask)
        return x + F.dropout(self.fc2(F.gelu(self.fc1(self.ln3(x)))), self.p, self.training)
