# wrong: nanoGPT flash with is_causal when no mask
# named: always_causal
import torch
import torch.nn as nn
import torch.nn.functional as F

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.hidden_size % config.num_attention_heads != 0:
            raise ValueError("n_embd % n_head")
        self.c_attn = nn.Linear(config.hidden_size, 3 * config.hidden_size, bias=False)
        self.c_proj = nn.Linear(config.hidden_size, config.hidden_size, bias=False)
        self.n_head = config.num_attention_heads

    def forward(self, hidden_state, mask=None):
        B, T, C = hidden_state.size()
        q, k, v = self.c_attn(hidden_state).split(C, dim=2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        attn_mask = mask.bool().unsqueeze(-3) if mask is not None else None
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=attn_mask, is_causal=mask is None)
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.c_proj(y)
