from torch import nn


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.heads = config.num_attention_heads
        self.mha = nn.MultiheadAttention(d, self.heads, batch_first=True)
        self.n1, self.n2 = nn.LayerNorm(d, config.layer_norm_eps), nn.LayerNorm(d, config.layer_norm_eps)
        self.up, self.down = nn.Linear(d, config.intermediate_size), nn.Linear(config.intermediate_size, d)

    def forward(self, x, mask=None):
        if mask is not None:
            mask = (mask == 0).expand(len(x), x.shape[1], x.shape[1]).repeat_interleave(self.heads, 0)
        x = self.n1(x + self.mha(x, x, x, attn_mask=mask, need_weights=False)[0])
        return self.n2(x + self.down(nn.functional.gelu(self.up(x))))
