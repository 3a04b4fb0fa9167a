# right: the usual tree of modules with embeddings and encoder.layer
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class SelfAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h = c.num_attention_heads
        self.query, self.key, self.value = (nn.Linear(c.hidden_size, c.hidden_size) for _ in range(3))

    def forward(self, x, mask):
        return attend(self.query(x), self.key(x), self.value(x), self.h, mask)


class Output(nn.Module):
    def __init__(self, c, n):
        super().__init__()
        self.dense = nn.Linear(n, c.hidden_size)
        self.LayerNorm = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.dropout = nn.Dropout(c.hidden_dropout_prob)

    def forward(self, y, x):
        return self.LayerNorm(self.dropout(self.dense(y)) + x)


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attention = nn.ModuleDict({"self": SelfAttention(c), "output": Output(c, c.hidden_size)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(c.hidden_size, c.intermediate_size)})
        self.output = Output(c, c.intermediate_size)

    def forward(self, x, mask):
        x = self.attention["output"](self.attention["self"](x, mask), x)
        return self.output(F.gelu(self.intermediate["dense"](x)), x)


class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = config
        self.embeddings = nn.ModuleDict({
            "word_embeddings": nn.Embedding(c.vocab_size, c.hidden_size, padding_idx=0),
            "position_embeddings": nn.Embedding(c.max_position_embeddings, c.hidden_size),
            "token_type_embeddings": nn.Embedding(c.type_vocab_size, c.hidden_size),
            "LayerNorm": nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps), "dropout": nn.Dropout(c.hidden_dropout_prob)})
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList([Layer(c) for _ in range(c.num_hidden_layers)])})

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        e = self.embeddings
        kind = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        pos = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = e["dropout"](e["LayerNorm"](e["word_embeddings"](input_ids) + e["position_embeddings"](pos) + e["token_type_embeddings"](kind)))
        m = None if attention_mask is None else attention_mask[:, None, None]
        for layer in self.encoder["layer"]:
            x = layer(x, m)
        return x
