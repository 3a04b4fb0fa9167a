# wrong: RMSNorm like T5 instead of LayerNorm
# named: no_mean
import torch
from torch import nn


class T5LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.variance_epsilon = eps

    def forward(self, hidden_states):
        variance = hidden_states.to(torch.float32).pow(2).mean(-1, keepdim=True)
        hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        return self.weight * hidden_states


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_0 = T5LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.ln_1 = T5LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.attn, self.ff = MultiHeadAttention(config), FeedForward(config)

    def forward(self, x, mask=None):
        x = x + self.attn(self.ln_0(x), mask)
        return x + self.ff(self.ln_1(x))
