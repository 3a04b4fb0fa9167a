# wrong: residual not renewed before the feed-forward network
# named: third_residual_from_second
import torch
from torch import nn
import torch.nn.functional as F
class GPT2Attention(nn.Module):
    def __init__(self, config, is_cross_attention=False):
        super().__init__()
        self.embed_dim, self.num_heads = config.hidden_size, config.num_attention_heads
        self.is_cross_attention = is_cross_attention
        if is_cross_attention:
            self.c_attn = nn.Linear(self.embed_dim, 2 * self.embed_dim)
            self.q_attn = nn.Linear(self.embed_dim, self.embed_dim)
        else:
            self.c_attn = nn.Linear(self.embed_dim, 3 * self.embed_dim)
        self.c_proj = nn.Linear(self.embed_dim, self.embed_dim)
    def _split_heads(self, t):
        return t.view(t.size()[:-1] + (self.num_heads, -1)).permute(0, 2, 1, 3)
    def forward(self, x, encoder_hidden_states=None, encoder_attention_mask=None):
        if self.is_cross_attention:
            query = self.q_attn(x)
            key, value = self.c_attn(encoder_hidden_states).split(self.embed_dim, dim=2)
        else:
            query, key, value = self.c_attn(x).split(self.embed_dim, dim=2)
        query, key, value = map(self._split_heads, (query, key, value))
        if encoder_attention_mask is not None:
            encoder_attention_mask = encoder_attention_mask.bool().expand(x.size(0), x.size(1), key.size(2)).unsqueeze(1)
        a = F.scaled_dot_product_attention(query, key, value, attn_mask=encoder_attention_mask, is_causal=not self.is_cross_attention)
        a = a.permute(0, 2, 1, 3).contiguous()
        return self.c_proj(a.view(a.size()[:-2] + (self.embed_dim,)))
class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        h = config.hidden_size
        self.ln_1 = nn.LayerNorm(h, eps=config.layer_norm_eps)
        self.attn = GPT2Attention(config)
        self.ln_cross_attn = nn.LayerNorm(h, eps=config.layer_norm_eps)
        self.crossattention = GPT2Attention(config, True)
        self.ln_2 = nn.LayerNorm(h, eps=config.layer_norm_eps)
        self.c_fc = nn.Linear(h, config.intermediate_size)
        self.c_proj = nn.Linear(config.intermediate_size, h)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, hidden_states, memory, memory_mask=None):
        residual = hidden_states
        hidden_states = self.attn(self.ln_1(hidden_states)) + residual
        residual = hidden_states
        hidden_states = residual + self.crossattention(self.ln_cross_attn(hidden_states), memory, memory_mask)
        ff = self.dropout(self.c_proj(F.gelu(self.c_fc(self.ln_2(hidden_states)))))
        return residual + ff
