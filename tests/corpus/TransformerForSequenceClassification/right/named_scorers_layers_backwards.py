# right: layers from the last to the first, a scorer for each label under a name of its own
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.a = nn.MultiheadAttention(d, c.num_attention_heads, batch_first=True)
        self.n1 = nn.LayerNorm(d, eps=c.layer_norm_eps)
        self.n2 = nn.LayerNorm(d, eps=c.layer_norm_eps)
        self.up, self.down = nn.Linear(d, c.intermediate_size), nn.Linear(c.intermediate_size, d)
        self.drop = nn.Dropout(c.hidden_dropout_prob)

    def forward(self, x, hide):
        y = self.n1(x)
        x = x + self.a(y, y, y, key_padding_mask=hide, need_weights=False)[0]
        return x + self.drop(self.down(nn.functional.gelu(self.up(self.n2(x)))))


class TransformerForSequenceClassification(nn.Module):
    """Layers from the top of the list down; a scorer for each label, registered by a name of its own."""

    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.word = nn.Embedding(config.vocab_size, d)
        self.place = nn.Embedding(config.max_position_embeddings, d)
        self.before = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.layers = nn.ModuleList([Layer(config) for _ in range(config.num_hidden_layers)])
        self.after = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.labels = [f"label_{i}" for i in range(config.num_labels)]
        for name in self.labels:
            setattr(self, name, nn.Linear(d, 1))

    def forward(self, input_ids, mask=None):
        places = torch.arange(input_ids.size(1), device=input_ids.device)
        x = self.drop(self.before(self.word(input_ids) + self.place(places)))
        hide = None if mask is None else ~mask.bool()
        for layer in self.layers[::-1]:
            x = layer(x, hide)
        first = self.drop(self.after(x)[:, 0])
        return torch.cat([getattr(self, name)(first) for name in self.labels], dim=1)
