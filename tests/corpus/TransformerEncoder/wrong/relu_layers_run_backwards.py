# wrong: ReLU, layers run from the last to the first
# named: relu
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.attention = nn.MultiheadAttention(d, c.num_attention_heads, batch_first=True)
        self.norm1 = nn.LayerNorm(d, eps=c.layer_norm_eps)
        self.norm2 = nn.LayerNorm(d, eps=c.layer_norm_eps)
        self.expand = nn.Linear(d, c.intermediate_size)
        self.contract = nn.Linear(c.intermediate_size, d)

    def forward(self, x, hide):
        y = self.norm1(x)
        x = x + self.attention(y, y, y, key_padding_mask=hide, need_weights=False)[0]
        return x + self.contract(torch.relu(self.expand(self.norm2(x))))


class TransformerEncoder(nn.Module):
    """From the last layer to the first, with ReLU."""

    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.token = nn.Embedding(config.vocab_size, d)
        self.position = nn.Embedding(config.max_position_embeddings, d)
        self.norm = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.top = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.layers = nn.ModuleList(Block(config) for _ in range(config.num_hidden_layers))

    def forward(self, input_ids, mask=None):
        x = self.norm(self.token(input_ids) + self.position.weight[: input_ids.shape[1]])
        hide = None if mask is None else mask == 0
        for layer in reversed(self.layers):
            x = layer(x, hide)
        return self.top(x)
