"""What an expression in a learner's code may mean, as far as reading tells; reads none itself."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from enum import Enum, auto

MAX_PARTS = 12  # of a dotted name
MAX_NAME = 100  # characters of one part; those of libraries are shorter
_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True)
class Path:
    """An object of a library: "torch.nn.functional"."""

    path: str

    def __truediv__(self, name: str) -> Path:
        """Its part of that name; of a long way, which goes in circles, the last steps are kept."""
        root, *steps = f"{self.path}.{name[:MAX_NAME]}".split(".")
        return Path(".".join([root, *steps[1 - MAX_PARTS :]]))


@dataclass(frozen=True)
class Text:
    """A constant text."""

    text: str


@dataclass(frozen=True)
class Contents:
    """`vars(torch)`: an object's names in a dictionary."""

    of: Path


@dataclass(frozen=True)
class Getter:
    """`operator.attrgetter("softmax")`."""

    names: str


class Own(Enum):
    """The learner's own."""

    FUNCTION = auto()
    CLASS = auto()
    OBJECT = auto()


Value = Path | Text | Contents | Getter | Own | None  # None: it may be anything, a tensor say


class Scope(dict[str, Value]):
    """What names mean in a function; where they are not its own, in the scope around it."""

    def __init__(self, around: Scope | None = None) -> None:
        super().__init__()
        self.around = around
        self.stars: list[str] = []  # `from module import *`, at module level

    def find(self, name: str) -> Value:
        """What a name stands for here or further out; None where nobody sets it."""
        scope = self
        while name not in scope and scope.around is not None:
            scope = scope.around
        if name in scope:
            return scope[name]
        if name in _BUILTINS:
            return Path(f"builtins.{name}")
        return Path(f"{scope.stars[-1]}.{name}") if scope.stars else None
