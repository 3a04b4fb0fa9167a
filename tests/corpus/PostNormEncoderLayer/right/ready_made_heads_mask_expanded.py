# right: nn.MultiheadAttention inside, dropout modules separate, mask expanded to heads
import torch
from torch import nn

class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.self_attn = nn.MultiheadAttention(d, self.h, dropout=0.1, batch_first=True)
        self.linear1 = nn.Linear(d, config.intermediate_size)
        self.linear2 = nn.Linear(config.intermediate_size, d)
        self.norm1 = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.norm2 = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.dropout1 = nn.Dropout(config.hidden_dropout_prob)
        self.dropout2 = nn.Dropout(config.hidden_dropout_prob)
        self.activation = nn.GELU()

    def forward(self, x, mask=None):
        b, s, _ = x.shape
        m = None
        if mask is not None:
            m = ~mask.bool().expand(b, s, s)
            m = m.unsqueeze(1).expand(b, self.h, s, s).reshape(b * self.h, s, s)
        y, _ = self.self_attn(x, x, x, attn_mask=m, need_weights=False)
        x = self.norm1(x + self.dropout1(y))
        return self.norm2(x + self.dropout2(self.linear2(self.activation(self.linear1(x)))))
