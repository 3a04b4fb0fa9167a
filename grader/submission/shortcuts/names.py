"""Compares what code refers to with the names that an exercise forbids; reads no code itself."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

MAX_PARTS = 12  # of a dotted name
_TENSOR = "torch.Tensor."
# Where PyTorch keeps all its functions once more, written in Python.
_COPIES = frozenset({"_refs", "_decomp", "_prims", "_inductor"})
# Building blocks that live under the name of something ready-made, and what its compiler calls.
_FREE = frozenset({"generate_square_subsequent_mask", "set_default_validate_args"})


@dataclass(frozen=True)
class Shortcut:
    """A forbidden function in a learner's code, and where."""

    name: str  # as the exercise's list of forbidden names has it
    label: str  # the learner's cell; for what was seen running, the operator
    line: int | None  # in that cell; None for what was seen running

    def __str__(self) -> str:
        where = self.label if self.line is None else f"{self.label}, line {self.line}"
        return f"{self.name} ({where})"


class Matcher:
    """Compares what code refers to with the forbidden names."""

    def __init__(self, forbidden: tuple[str, ...]) -> None:
        self.forbidden = forbidden
        self._words = {_telling_part(name) for name in forbidden}
        self._roots = {name.partition(".")[0] for name in forbidden}
        self._found = cache(self._search)

    def may_be_in(self, code: str, exercise: str) -> bool:
        """Whether it is worth reading: most code has no such word."""
        if not code.isascii():
            return True  # ｓoftmax is softmax to Python
        code = code.replace(f"def {exercise}(", "").replace(f"class {exercise}(", "")
        return any(word in code for word in (*self._words, *_COPIES))

    def of_path(self, path: str) -> str | None:
        """The forbidden name that a library's object goes by where code refers to it."""
        parts = path.split(".")
        if parts[0] == "torch" and parts[1:2] and parts[1] in _COPIES and not self._is_free(parts):
            return ".".join(parts[:2])
        return self.of_running(path)

    def of_running(self, path: str) -> str | None:
        """The same of what ran: operators have copies run too, of what is free as well."""
        return self._found(path) if any(word in path for word in self._words) else None

    def of_method(self, method: str) -> str | None:
        """The forbidden method of tensors of this name."""
        names = (name for name in self.forbidden if name.startswith(_TENSOR))
        return next((name for name in names if fnmatchcase(_TENSOR + method, name)), None)

    def _is_free(self, parts: list[str]) -> bool:
        return parts[0] not in self._roots or bool(_FREE.intersection(parts))

    def _search(self, path: str) -> str | None:
        parts = path.split(".")
        if self._is_free(parts):
            return None
        # torch.softmax.__call__, torch.ops.aten.softmax.int: the name may stand before the end
        ends = range(min(len(parts), MAX_PARTS), 1, -1)
        begins = [".".join(parts[:end]) for end in ends]
        for starred in (False, True):  # the plainest name is given
            names = [name for name in self.forbidden if ("*" in name) is starred]
            for begin in begins:
                for name in names:
                    if fnmatchcase(begin, name):
                        return name
            # torch keeps its functions in many places: some part may go by the name's last one
            known = [(name, last_part(name)) for name in names if name.startswith("torch.")]
            for part in parts[1:MAX_PARTS] if parts[0] == "torch" else ():
                for name, last in known:
                    if last is not None and fnmatchcase(part.strip("_"), last):
                        return name
        return None


def last_part(name: str) -> str | None:
    """What a forbidden name goes by wherever it lives; None where that would be anything."""
    last = name.rpartition(".")[2].strip("_")
    return last if last.strip("*") else None


def _telling_part(name: str) -> str:
    """The last part of a forbidden name that code must contain: "Transformer", "transformers"."""
    parts = [max(part.split("*"), key=len).strip("_") for part in name.split(".")]
    return next(part for part in reversed(parts) if part)
