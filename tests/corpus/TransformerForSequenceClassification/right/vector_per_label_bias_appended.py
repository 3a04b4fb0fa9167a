# right: one raw vector for each label, its bias as one more number
import torch
from torch import nn
import torch.nn.functional as F


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        d, self.h = c.hidden_size, c.num_attention_heads
        self.n1, self.n2 = (nn.LayerNorm(d, eps=c.layer_norm_eps) for _ in range(2))
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, c.intermediate_size), nn.Linear(c.intermediate_size, d)

    def forward(self, x, mask):
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in self.qkv(self.n1(x)).chunk(3, -1))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, labels = config.hidden_size, config.num_labels
        # one prototype per label, its bias behind it
        self.prototypes = nn.ParameterList([nn.Parameter(0.02 * torch.randn(d + 1)) for _ in range(labels)])
        self.ids = nn.Embedding(config.vocab_size, d)
        self.positions = nn.Parameter(0.02 * torch.randn(config.max_position_embeddings, d))
        self.first_norm = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.last_norm = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.blocks = nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, mask=None):
        x = self.drop(self.first_norm(self.ids(input_ids) + self.positions[: input_ids.shape[1]]))
        keep = None if mask is None else mask.bool()[:, None, None, :]
        for block in self.blocks:
            x = block(x, keep)
        cls = self.drop(self.last_norm(x)[:, 0])
        scores = [cls @ w[:-1] + w[-1] for w in self.prototypes]
        return torch.stack(scores, dim=-1)
