"""Three small trained machines to find out about: what they answer, where they look, who speaks.

Their weights lie beside, in `sealed.safetensors`. What a machine has been trained to do stands
nowhere in this folder.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F

LETTERS = "abcdefghij"  # id → name of a token
LENGTH = 6  # of every row that a machine reads
HEADS = 4  # of every machine; of several layers, the first layer's come first
WIDTH = 32
WEIGHTS = Path(__file__).with_name("data") / "sealed.safetensors"


class Sealed(nn.Module):
    """One machine: letters in, a number for each place out; every head can be told to be silent."""

    def __init__(self, answers: int, layers: int) -> None:
        super().__init__()
        self.answers, self.layers = answers, layers
        self.token, self.place = nn.Embedding(len(LETTERS), WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.project = nn.ModuleList(nn.Linear(WIDTH, 3 * WIDTH) for _ in range(layers))
        self.output = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(layers))
        self.up = nn.ModuleList(nn.Linear(WIDTH, 2 * WIDTH) for _ in range(layers))
        self.down = nn.ModuleList(nn.Linear(2 * WIDTH, WIDTH) for _ in range(layers))
        self.guess = nn.Linear(WIDTH, answers)

    def forward(
        self, rows: Tensor, speak: Tensor, looks: Mapping[int, Tensor] | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        """Scores [batch, 6, answers], and each layer's attention [batch, its heads, 6, 6].

        rows:  [batch, 6], long
        speak: [HEADS], float; 0 silences a head, 2 lets it speak twice as loud
        looks: layer → attention in place of its own, [batch, its heads, 6, 6]
        """
        x, attention = self.token(rows) + self.place(torch.arange(LENGTH)), []
        for layer, own in enumerate(speak.chunk(self.layers)):
            query, key, value = (
                part.unflatten(-1, (len(own), -1)).transpose(1, 2)
                for part in self.project[layer](_normed(x)).chunk(3, -1)
            )  # [batch, heads, 6, head_dim] each
            scale = query.shape[-1] ** -0.5
            weights = (looks or {}).get(layer, (query @ key.mT * scale).softmax(-1))
            found = weights @ value * own.view(-1, 1, 1)
            x = x + self.output[layer](found.transpose(1, 2).reshape(len(rows), LENGTH, -1))
            x = x + self.down[layer](F.gelu(self.up[layer](_normed(x))))
            attention.append(weights)
        return self.guess(_normed(x)), attention

    @torch.no_grad()
    def answer(self, rows: Tensor, speak: Sequence[int] = range(HEADS)) -> Tensor:
        """What the machine answers when the heads in `speak` speak and all others are silent.

        rows:    [batch, 6], long, from 0 to 9
        returns: [batch, 6], long
        """
        return self(rows, _speaking(speak))[0].argmax(-1)

    @torch.no_grad()
    def attention(self, row: Tensor, speak: Sequence[int] = range(HEADS)) -> dict[str, Tensor]:
        """The attention of each head for one row [6]: name of the head → [query, key]."""
        heads = [head for layer in self(row[None], _speaking(speak))[1] for head in layer[0]]
        return {f"head {number}": head for number, head in enumerate(heads)}


@cache
def sealed(name: str) -> Sealed:
    """The machine called "A", "B" or "C"."""
    weights = load_file(WEIGHTS)
    own = {key[2:]: value for key, value in weights.items() if key.startswith(f"{name}.")}
    layers = sum(key.startswith("project") and key.endswith("weight") for key in own)
    machine = Sealed(len(own["guess.bias"]), layers)
    machine.load_state_dict(own)
    return machine.eval()


def row(letters: str) -> Tensor:
    """Six letters from a to j as a row: [1, 6]."""
    if len(letters) != LENGTH or set(letters) - set(LETTERS):
        raise ValueError(f"{letters!r}: the machines read {LENGTH} letters from a to {LETTERS[-1]}")
    return torch.tensor([[LETTERS.index(letter) for letter in letters]])


def _normed(x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:])


def _speaking(heads: Sequence[int]) -> Tensor:
    if odd := [head for head in heads if head not in range(HEADS)]:
        raise ValueError(f"there is no head {odd[0]}: there are {HEADS}, from 0 on")
    return torch.tensor([float(head in heads) for head in range(HEADS)])
