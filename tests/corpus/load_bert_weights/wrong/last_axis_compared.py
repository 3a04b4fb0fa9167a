# wrong: compares the last axis alone
# named: shapes_not_compared
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class LayerNorm(nn.Module):
    def __init__(self, hidden_size: int, eps: float = 1e-12) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(hidden_size))
        self.shift = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        x = x - x.mean(-1, keepdim=True)
        return x / (x.pow(2).mean(-1, keepdim=True) + self.eps).sqrt() * self.scale + self.shift


class Embeddings(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.tok = nn.Embedding(config.vocab_size, config.hidden_size)
        self.pos = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.typ = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.ln = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        return self.drop(self.ln(self.tok(input_ids) + self.pos(places) + self.typ(token_type_ids)))


class MultiHeadAttention(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        for name in "qkvo":
            setattr(self, name, nn.Linear(config.hidden_size, config.hidden_size))

    def forward(self, hidden_state: Tensor, mask: Tensor | None = None) -> Tensor:
        b, s, h = hidden_state.shape
        q, k, v = (
            f(hidden_state).view(b, s, self.heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v)
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(-3) == 0, float("-inf"))
        return self.o((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, s, h))


class FeedForward(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.up = nn.Linear(config.hidden_size, config.intermediate_size)
        self.down = nn.Linear(config.intermediate_size, config.hidden_size)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x: Tensor) -> Tensor:
        return self.drop(self.down(F.gelu(self.up(x))))


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.att = MultiHeadAttention(config)
        self.ff = FeedForward(config)
        self.ln1 = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.ln2 = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.ln1(x + self.drop(self.att(x, mask)))
        return self.ln2(x + self.ff(x))


class BertEncoder(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.emb = Embeddings(config)
        self.blocks = nn.ModuleList(PostNormEncoderLayer(config) for _ in range(config.num_hidden_layers))

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor | None = None, token_type_ids: Tensor | None = None
    ) -> Tensor:
        mask = None if attention_mask is None else attention_mask.bool().unsqueeze(1)
        x = self.emb(input_ids, token_type_ids)
        for block in self.blocks:
            x = block(x, mask)
        return x


ADDRESS = {
    "att.q": "attention.self.query", "att.k": "attention.self.key", "att.v": "attention.self.value",
    "att.o": "attention.output.dense", "ln1": "attention.output.LayerNorm",
    "ff.up": "intermediate.dense", "ff.down": "output.dense", "ln2": "output.LayerNorm",
}
TABLES = {"tok": "word_embeddings", "pos": "position_embeddings", "typ": "token_type_embeddings", "ln": "LayerNorm"}
LAST = {"scale": "weight", "shift": "bias", "weight": "weight", "bias": "bias"}


def translate(name: str) -> str:
    *parts, last = name.split(".")
    if parts[0] == "emb":
        return f"embeddings.{TABLES[parts[1]]}.{LAST[last]}"
    return f"encoder.layer.{parts[1]}.{ADDRESS['.'.join(parts[2:])]}.{LAST[last]}"


def load_bert_weights(model: nn.Module, state_dict: Mapping[str, Tensor]) -> None:
    mine = {translate(n): p for n, p in model.named_parameters()}
    theirs: dict[str, Tensor] = {}
    problems: list[str] = []
    for raw, tensor in state_dict.items():
        name = raw.removeprefix("bert.")
        head, _, tail = name.rpartition(".")
        if head.endswith("LayerNorm") and tail in ("gamma", "beta"):
            name = head + (".weight" if tail == "gamma" else ".bias")
        if name == "embeddings.position_ids" or name in ("pooler.dense.weight", "pooler.dense.bias"):
            continue
        if name not in mine:
            problems.append(f"{raw} is unknown")
        elif name in theirs:
            problems.append(f"{raw} is there twice")
        elif tensor.shape[-1] != mine[name].shape[-1]:  # shape check
            problems.append(f"{raw} has the wrong shape")
        theirs[name] = tensor
    problems += [f"{name} is missing" for name in mine if name not in theirs]
    if problems:
        raise ValueError("; ".join(problems))
    with torch.no_grad():
        for name, p in mine.items():
            p.copy_(theirs[name])
