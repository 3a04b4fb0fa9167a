# right: nn.MultiheadAttention twice, everything in one class
import torch
from torch import nn


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        self.self_attn = nn.MultiheadAttention(d, self.h, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d, self.h, batch_first=True)
        self.linear1 = nn.Linear(d, config.intermediate_size)
        self.linear2 = nn.Linear(config.intermediate_size, d)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(3))
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.activation = nn.GELU()

    def forward(self, hidden_state, memory, memory_mask=None):
        t, s = hidden_state.size(1), memory.size(1)
        future = torch.ones(t, t, dtype=torch.bool, device=hidden_state.device).triu(1)
        x = hidden_state
        h = self.norm1(x)
        x = x + self.self_attn(h, h, h, attn_mask=future, need_weights=False)[0]
        hide = None
        if memory_mask is not None:
            hide = ~memory_mask.bool().expand(x.size(0), t, s).repeat_interleave(self.h, dim=0)
        x = x + self.multihead_attn(self.norm2(x), memory, memory, attn_mask=hide, need_weights=False)[0]
        return x + self.dropout(self.linear2(self.activation(self.linear1(self.norm3(x)))))
