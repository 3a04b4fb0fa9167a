# right: each layer is a flat vector in a ParameterList; one table with offsets for the embeddings; pure functions
import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def cut(vector: Tensor, shapes: dict[str, tuple[int, ...]]) -> dict[str, Tensor]:
    pieces = vector.split([math.prod(shape) for shape in shapes.values()])
    return {name: piece.reshape(shape) for piece, (name, shape) in zip(pieces, shapes.items())}


class BertEncoder(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        h, m, n = config.hidden_size, config.intermediate_size, config.num_attention_heads
        d = h // n
        self.eps, self.p, self.n = config.layer_norm_eps, config.hidden_dropout_prob, n
        self.shapes = {"norms": (2, 2, h), "w2": (m, h), "b2": (h,), "b1": (m,), "w1": (h, m),
                       "wo": (n, d, h), "bo": (h,), "wk": (n, h, d), "bk": (n, 1, d),
                       "wq": (n, h, d), "bq": (n, 1, d), "wv": (n, h, d), "bv": (n, 1, d)}
        self.layers = nn.ParameterList([self.start() for _ in range(config.num_hidden_layers)])
        self.offsets = (0, config.vocab_size, config.vocab_size + config.type_vocab_size)
        self.table = nn.Parameter(0.5 * torch.randn(self.offsets[2] + config.max_position_embeddings, h))
        self.input_norm = nn.Parameter(torch.stack([torch.ones(h), torch.zeros(h)]))

    def start(self) -> Tensor:
        pieces = []
        for name, shape in self.shapes.items():
            piece = torch.zeros(shape)
            if name[0] == "w":
                piece.normal_(std=math.prod(shape[-2:-1]) ** -0.5)
            elif name == "norms":
                piece[:, 0] = 1
            pieces.append(piece.flatten())
        return torch.cat(pieces)

    def norm(self, x: Tensor, scale_shift: Tensor) -> Tensor:
        return F.layer_norm(x, x.shape[-1:], scale_shift[0], scale_shift[1], self.eps)

    def layer(self, x: Tensor, visible: Tensor, w: dict[str, Tensor]) -> Tensor:
        q, k, v = (x[:, None] @ w["w" + c] + w["b" + c] for c in "qkv")                # [batch, heads, seq, d]
        s = torch.where(visible[:, None, None], q @ k.mT / q.shape[-1] ** 0.5, -math.inf)
        found = (s.softmax(-1) @ v @ w["wo"]).sum(1) + w["bo"]
        x = self.norm(x + F.dropout(found, self.p, self.training), w["norms"][1])
        y = F.gelu(x @ w["w1"] + w["b1"]) @ w["w2"] + w["b2"]
        return self.norm(x + F.dropout(y, self.p, self.training), w["norms"][0])

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None,
                token_type_ids: Tensor | None = None) -> Tensor:
        words, kinds, places = self.offsets
        types = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        counted = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = self.table[input_ids + words] + self.table[types + kinds] + self.table[counted + places]
        x = F.dropout(self.norm(x, self.input_norm), self.p, self.training)
        visible = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        for vector in self.layers:
            x = self.layer(x, visible.bool(), cut(vector, self.shapes))
        return x
