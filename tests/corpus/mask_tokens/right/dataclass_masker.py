# right: typed dataclass with small methods
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass(frozen=True)
class Masker:
    vocab: dict[str, int]
    generator: torch.Generator
    rate: float
    special: tuple[str, ...] = field(default=("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))

    def chance(self, shape: torch.Size, p: float) -> Tensor:
        return torch.rand(shape, generator=self.generator) < p

    def eligible(self, ids: Tensor) -> Tensor:
        forbidden = torch.as_tensor([self.vocab[name] for name in self.special])
        return (ids.unsqueeze(-1) != forbidden).all(dim=-1)

    def words(self, shape: torch.Size) -> Tensor:
        return torch.randint(high=len(self.vocab), size=shape, generator=self.generator)

    def __call__(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        chosen = self.chance(ids.shape, self.rate) & self.eligible(ids)
        to_mask = self.chance(ids.shape, 0.8)
        to_word = self.chance(ids.shape, 0.5)       # half of what is left
        result = torch.where(chosen & to_mask, torch.full_like(ids, self.vocab["[MASK]"]), ids)
        result = torch.where(chosen & ~to_mask & to_word, self.words(ids.shape), result)
        return result, torch.where(chosen, ids, torch.full_like(ids, -100))


def mask_tokens(
    input_ids: Tensor, vocab: dict[str, int], generator: torch.Generator, rate: float = 0.15
) -> tuple[Tensor, Tensor]:
    return Masker(vocab, generator, rate)(input_ids)
