# right: regular expressions over the model's own names, state dict swapped in
import re
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.h = c.num_attention_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.o((a.softmax(-1) @ v).transpose(1, 2).flatten(2))

class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.att, self.n1, self.n2 = MultiHeadAttention(c), nn.LayerNorm(d, c.layer_norm_eps), nn.LayerNorm(d, c.layer_norm_eps)
        self.up, self.down, self.drop = nn.Linear(d, c.intermediate_size), nn.Linear(c.intermediate_size, d), nn.Dropout(c.hidden_dropout_prob)

    def forward(self, x, mask):
        x = self.n1(x + self.drop(self.att(x, mask)))
        return self.n2(x + self.drop(self.down(nn.functional.gelu(self.up(x)))))

class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c, d = config, config.hidden_size
        self.words, self.places, self.kinds = nn.Embedding(c.vocab_size, d), nn.Embedding(c.max_position_embeddings, d), nn.Embedding(c.type_vocab_size, d)
        self.norm, self.drop = nn.LayerNorm(d, c.layer_norm_eps), nn.Dropout(c.hidden_dropout_prob)
        self.blocks = nn.ModuleList(Layer(c) for _ in range(c.num_hidden_layers))

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.words(input_ids) + self.places(torch.arange(input_ids.shape[1], device=input_ids.device)) + self.kinds(token_type_ids)
        x = self.drop(self.norm(x))
        mask = None if attention_mask is None else attention_mask[:, None, :]
        for block in self.blocks:
            x = block(x, mask)
        return x

RULES = [(r"^bert\.", ""), (r"(LayerNorm)\.gamma$", r"\1.weight"), (r"(LayerNorm)\.beta$", r"\1.bias"), (r"^encoder\.layer\.", "blocks."),
         (r"attention\.self\.(q|k|v)\w+\.", r"att.\1."), (r"attention\.output\.dense", "att.o"),
         (r"attention\.output\.LayerNorm", "n1"), (r"intermediate\.dense", "up"), (r"(\d+)\.output\.dense", r"\1.down"),
         (r"(\d+)\.output\.LayerNorm", r"\1.n2"), (r"^embeddings\.word_embeddings", "words"),
         (r"^embeddings\.position_embeddings", "places"), (r"^embeddings\.token_type_embeddings", "kinds"), (r"^embeddings\.LayerNorm", "norm")]

def load_bert_weights(model, state_dict):
    mine, odd = {}, []
    for name, tensor in state_dict.items():
        new = name
        for pattern, text in RULES:
            new = re.sub(pattern, text, new)
        if new in ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"):
            continue
        if new in mine:
            odd.append("twice: " + name)
        mine[new] = tensor
    wanted = dict(model.named_parameters())
    odd += ["missing: " + n for n in wanted if n not in mine] + ["unknown: " + n for n in mine if n not in wanted]
    odd += [f"shape: {n}" for n in wanted if n in mine and wanted[n].shape != mine[n].shape]
    if odd:
        raise ValueError("; ".join(odd))
    for n, p in wanted.items():
        p.data.copy_(mine[n])
