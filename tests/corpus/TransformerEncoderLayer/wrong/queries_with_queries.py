# wrong: query, key and value by head in one map: queries with queries
# named: keys_from_query_projection, queries_with_queries
import torch
from torch import nn
import torch.nn.functional as F

class BaseLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        h = config.hidden_size
        self.heads = config.num_attention_heads
        self.input_layernorm = nn.LayerNorm(h, eps=config.layer_norm_eps)
        self.query_key_value = nn.Linear(h, 3 * h)
        self.dense = nn.Linear(h, h)
        self.post_attention_layernorm = nn.LayerNorm(h, eps=config.layer_norm_eps)
        self.dense_h_to_4h = nn.Linear(h, config.intermediate_size)
        self.dense_4h_to_h = nn.Linear(config.intermediate_size, h)
        self.hidden_dropout = config.hidden_dropout_prob

    def attend(self, x, mask):
        b, s, h = x.shape
        qkv = self.query_key_value(x).view(b, s, self.heads, 3 * h // self.heads)
        qkv = qkv.permute(0, 2, 1, 3)
        q, k, v = qkv.chunk(3, dim=-1)
        scores = torch.baddbmm(
            torch.zeros(1, 1, 1, device=x.device, dtype=x.dtype),
            q.reshape(b * self.heads, s, -1), q.reshape(b * self.heads, s, -1).transpose(1, 2),
            beta=0.0, alpha=(h // self.heads) ** -0.5).view(b, self.heads, s, s)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(-3).logical_not(), torch.finfo(x.dtype).min)
        ctx = scores.softmax(-1) @ v
        return self.dense(ctx.transpose(1, 2).reshape(b, s, h))

    def mlp(self, x):
        return self.dense_4h_to_h(F.gelu(self.dense_h_to_4h(x)))

class TransformerEncoderLayer(BaseLayer):
    def forward(self, x, mask=None):
        attn = self.attend(self.input_layernorm(x), mask)
        x = attn + x
        out = F.dropout(self.mlp(self.post_attention_layernorm(x)), p=self.hidden_dropout, training=self.training)
        return out + x
