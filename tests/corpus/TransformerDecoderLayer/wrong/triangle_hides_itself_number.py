# wrong: causal mask from the diagonal on, a large number added
# named: causal_without_self
import torch
from torch import nn
import torch.nn.functional as F
class MHA(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.scaling = self.head_dim ** -0.5
        self.k_proj, self.v_proj = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)
        self.q_proj, self.out_proj = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)
    def forward(self, query, key, value, attn_mask=None):
        tgt_len, bsz, embed_dim = query.size()
        q = self.q_proj(query) * self.scaling
        k, v = self.k_proj(key), self.v_proj(value)
        q = q.contiguous().view(tgt_len, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        k = k.contiguous().view(-1, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        v = v.contiguous().view(-1, bsz * self.num_heads, self.head_dim).transpose(0, 1)
        w = torch.bmm(q, k.transpose(1, 2))
        if attn_mask is not None:
            w = w + attn_mask
        w = F.softmax(w, dim=-1)
        a = torch.bmm(w, v).transpose(0, 1).contiguous().view(tgt_len, bsz, embed_dim)
        return self.out_proj(a)
class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        e = config.hidden_size
        self.heads = config.num_attention_heads
        self.self_attn, self.encoder_attn = MHA(e, self.heads), MHA(e, self.heads)
        self.self_attn_layer_norm = nn.LayerNorm(e, eps=config.layer_norm_eps)
        self.encoder_attn_layer_norm = nn.LayerNorm(e, eps=config.layer_norm_eps)
        self.fc1, self.fc2 = nn.Linear(e, config.intermediate_size), nn.Linear(config.intermediate_size, e)
        self.final_layer_norm = nn.LayerNorm(e, eps=config.layer_norm_eps)
        self.dropout_p = config.hidden_dropout_prob
        self._future_mask = torch.empty(0)
    def buffered_future_mask(self, tensor):
        dim = tensor.size(0)
        if self._future_mask.size(0) < dim or self._future_mask.device != tensor.device:
            self._future_mask = torch.triu(torch.zeros([dim, dim], device=tensor.device).fill_(-1e9), 0)
        return self._future_mask[:dim, :dim]
    def forward(self, hidden_state, memory, memory_mask=None):
        x, enc = hidden_state.transpose(0, 1), memory.transpose(0, 1)
        residual = x
        x = self.self_attn_layer_norm(x)
        x = residual + self.self_attn(x, x, x, self.buffered_future_mask(x))
        residual = x
        x = self.encoder_attn_layer_norm(x)
        bias = None
        if memory_mask is not None:
            b, t, s = hidden_state.size(0), hidden_state.size(1), memory.size(1)
            bias = torch.zeros(b, t, s, device=x.device).masked_fill(memory_mask.expand(b, t, s) == 0, float("-inf"))
            bias = bias.repeat_interleave(self.heads, dim=0)
        x = residual + self.encoder_attn(x, enc, enc, bias)
        residual = x
        x = F.gelu(self.fc1(self.final_layer_norm(x)))
        x = F.dropout(self.fc2(x), p=self.dropout_p, training=self.training)
        return (residual + x).transpose(0, 1)
