# wrong: -inf and triu(0): first row nan
# named: causal_without_self
import torch
from torch import nn
import torch.nn.functional as F


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d_model, nhead, p = config.hidden_size, config.num_attention_heads, config.hidden_dropout_prob
        self.nhead = nhead
        self.self_attn = nn.MultiheadAttention(d_model, nhead, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, nhead, batch_first=True)
        self.linear1 = nn.Linear(d_model, config.intermediate_size)
        self.linear2 = nn.Linear(config.intermediate_size, d_model)
        self.norm1 = nn.LayerNorm(d_model, eps=config.layer_norm_eps)
        self.norm2 = nn.LayerNorm(d_model, eps=config.layer_norm_eps)
        self.norm3 = nn.LayerNorm(d_model, eps=config.layer_norm_eps)
        self.dropout1, self.dropout2, self.dropout3 = nn.Dropout(p), nn.Dropout(p), nn.Dropout(p)

    def forward(self, tgt, memory, memory_mask=None):
        x = tgt
        T = x.size(1)
        tgt_mask = torch.full((T, T), float("-inf"), device=x.device).triu(0)
        if memory_mask is not None:
            memory_mask = ~memory_mask.bool()
            memory_mask = memory_mask.expand(x.size(0), T, memory.size(1)).repeat_interleave(self.nhead, 0)
        x = x + self._sa_block(self.norm1(x), tgt_mask)
        x = x + self._mha_block(self.norm2(x), memory, memory_mask)
        return x + self._ff_block(self.norm3(x))

    def _sa_block(self, x, attn_mask):
        return self.dropout1(self.self_attn(x, x, x, attn_mask=attn_mask, need_weights=False)[0])

    def _mha_block(self, x, mem, attn_mask):
        return self.dropout2(self.multihead_attn(x, mem, mem, attn_mask=attn_mask, need_weights=False)[0])

    def _ff_block(self, x):
        return self.dropout3(self.linear2(F.gelu(self.linear1(x))))
