# wrong: second residual adds the layer's input, nn.MultiheadAttention inside
# named: second_residual_from_start
from torch import nn


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.heads = config.num_attention_heads
        self.mha = nn.MultiheadAttention(d, self.heads, batch_first=True)
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.up, self.down = nn.Linear(d, config.intermediate_size), nn.Linear(config.intermediate_size, d)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask=None):
        h = self.n1(x)
        if mask is not None:
            mask = (mask == 0).expand(len(x), x.shape[1], x.shape[1]).repeat_interleave(self.heads, 0)
        y = x + self.mha(h, h, h, attn_mask=mask, need_weights=False)[0]
        return x + self.drop(self.down(nn.functional.gelu(self.up(self.n2(y)))))
