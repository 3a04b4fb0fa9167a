# wrong: no residual around the attention, all norms of the layers in one list
# named: no_attention_residual
import torch
from torch import nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.heads = config.num_attention_heads
        self.query, self.key, self.value, self.output = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x, mask):
        b, s, d = x.shape
        cut = lambda t: t.view(b, s, self.heads, d // self.heads).transpose(1, 2)
        scores = cut(self.query(x)) @ cut(self.key(x)).mT / (d // self.heads) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None, :] == 0, float("-inf"))
        return self.output((scores.softmax(-1) @ cut(self.value(x))).transpose(1, 2).reshape(b, s, d))


class TransformerEncoder(nn.Module):
    """All norms of the stack in one list, and the residual of the attention left out."""

    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_hidden_layers
        self.tokens = nn.Embedding(config.vocab_size, d)
        self.positions = nn.Embedding(config.max_position_embeddings, d)
        self.embedding_norm = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.attentions = nn.ModuleList([Attention(config) for _ in range(n)])
        self.networks = nn.ModuleList(
            [
                nn.Sequential(
                    nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d)
                )
                for _ in range(n)
            ]
        )
        self.norms = nn.ModuleList([nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(2 * n + 1)])

    def forward(self, input_ids, mask=None):
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = self.embedding_norm(self.tokens(input_ids) + self.positions(places))
        for i, (attend, think) in enumerate(zip(self.attentions, self.networks)):
            x = attend(self.norms[2 * i](x), mask)
            x = x + think(self.norms[2 * i + 1](x))
        return self.norms[-1](x)
