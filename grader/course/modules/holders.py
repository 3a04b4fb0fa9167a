"""What holds a reference's parameters, by its kind and in the order of use; knows no values."""

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from torch import nn

_PROJECTIONS = {"query": "q", "key": "k", "value": "v", "output": "o"}


@dataclass(frozen=True)
class Holder:
    """A layer with parameters of its own: a table, a norm or a linear map."""

    name: str
    shape: tuple[int, ...]  # of its weight
    leaves: tuple[str, ...]  # those that are wanted
    is_bias_free: bool = False

    def leaf(self, leaf: str) -> str:
        """The full name of one of its parameters."""
        return f"{self.name}.{leaf}" if self.name else leaf

    def takes(self, leaves: Iterable[str]) -> bool:
        """Whether it is what is wanted that these make up."""
        found, wanted = set(leaves), set(self.leaves)
        return found == wanted or (self.is_bias_free and found | {"bias"} == wanted)


@dataclass(frozen=True)
class Attention:
    """The maps of one attention: each by its role, one of "qkvo"."""

    name: str  # with a dot, where there is any
    maps: dict[str, Holder]
    heads: int

    @property
    def roles(self) -> str:
        """Those of its maps that are wanted."""
        return "".join(role for role in "qkvo" if role in self.maps)

    @property
    def hidden(self) -> int:
        """How many features it is given."""
        return next(m.shape[0] if r == "o" else m.shape[1] for r, m in self.maps.items())

    @property
    def width(self) -> int:
        """How many features a head has."""
        rows = max((m.shape[0] for r, m in self.maps.items() if r != "o"), default=0)
        return rows // self.heads if rows % self.heads == 0 else rows

    @property
    def numel(self) -> int:
        """How many numbers its weights have."""
        return sum(math.prod(holder.shape) for holder in self.maps.values())


class Holders:
    """All that is wanted of a module's parameters, by its kind."""

    def __init__(
        self,
        module: nn.Module,
        shapes: Mapping[str, tuple[int, ...]],
        bias_free: bool,
        spare_tables: frozenset[str],
    ) -> None:
        self.spare_tables = spare_tables
        self.tables: dict[str, Holder] = {}
        self.norms: list[Holder] = []
        self.attentions: list[Attention] = []
        self.maps: list[Holder] = []
        for name, names in itertools.groupby(shapes, lambda name: name.rpartition(".")[0]):
            leaves = {full.rpartition(".")[2]: shapes[full] for full in names}
            part, above = module.get_submodule(name), name.rpartition(".")[0]
            attention = module.get_submodule(above) if name else module
            is_of_one = hasattr(attention, "num_heads") and attention is not part
            holder = Holder(name, leaves.get("weight", ()), tuple(leaves), bias_free or is_of_one)
            if isinstance(part, nn.Embedding):
                self.tables[name.rpartition(".")[2]] = holder
            elif not isinstance(part, nn.Linear):
                self.norms.append(holder)
            elif not is_of_one:
                self.maps.append(holder)
            else:
                before = f"{above}." if above else ""
                role = _PROJECTIONS[name.rpartition(".")[2]]
                heads: Any = attention.num_heads
                if not self.attentions or self.attentions[-1].name != before:
                    self.attentions.append(Attention(before, {}, heads))
                self.attentions[-1].maps[role] = holder
        hidden = self.attentions[0].hidden if self.attentions else 0
        square = [m for m in self.maps if set(m.shape) == {hidden} or 1 in m.shape]
        self.last_maps = square  # that their sizes do not tell from an attention's, or a vector
        told = sorted((m for m in self.maps if m not in square), key=lambda m: sorted(m.shape))
        self.told_maps = [
            list(each) for _, each in itertools.groupby(told, lambda m: sorted(m.shape))
        ]
