"""Python's and PyTorch's most common complaints in plain words; knows no exercise.

A complaint is text that learner code may have made: what is found in it is a number, plain text or
a choice among what stands here, and an explanation is told whole or not at all.
"""

import math
import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from ...candidate.failures import Problem
from ...candidate.message import Choice, Field, Message, aside, joined

_Words = Callable[[re.Match[str]], Message]
_FILE = Path(__file__).with_name("complaints.toml")
_LONGEST = 500  # characters that are looked at
_SIZES = re.compile(r"\d+(?:, \d+)*,?")


def in_words(problem: Problem) -> Message | None:
    """What the complaint means; None where it is none of these."""
    text = problem.message
    for pattern, words in _complaints():
        if match := pattern.search(f"{problem.type}: {text}"[:_LONGEST]):
            return aside("{}{}", Choice("", len(_complaints())), words(match))  # which one it is
    return None


def _reshaped(match: re.Match[str]) -> Message:
    wanted = [int(number) for number in re.findall(r"-?\d+", match[1])]
    product = math.prod(size for size in wanted if size > 0)
    there = int(match[2])
    if -1 in wanted:
        return aside(
            "The sizes asked for, {} together, do not divide the {} numbers evenly.", product, there
        )
    return aside("The sizes asked for hold {} numbers; there are {}.", product, there)


def _out_of_bounds(match: re.Match[str]) -> Message:
    index, _, size = (int(part) for part in match.groups())
    return aside(
        "Index {} is asked for along an axis that is {} long: its last index is {}.",
        index,
        size,
        size - 1,
    )


def _not_imported(match: re.Match[str]) -> Message:
    name = match[1]
    both = (Choice(each, len(_IMPORTS)) for each in (name, _IMPORTS[name]))
    return aside("`{}` comes with an import that no cell has made: `{}`.", *both)


def _nearly(match: re.Match[str]) -> Message:
    """Both names may be anybody's."""
    return aside("Did you mean `{}`? Nothing is called `{}` here.", match[2], match[1])


def _nearly_its_own(match: re.Match[str]) -> Message:
    return aside("Did you mean `{}`? This object has nothing called `{}`.", match[2], match[1])


# What learners use without the import that it comes with.
_IMPORTS = {
    "np": "import numpy as np",
    "numpy": "import numpy",
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "Tensor": "from torch import Tensor",
    "math": "import math",
    "re": "import re",
    "random": "import random",
    "einops": "import einops",
    "rearrange": "from einops import rearrange",
}
_CALCULATED: dict[str, _Words] = {
    rf"^NameError: name '({'|'.join(_IMPORTS)})' is not defined": _not_imported,
    r"name '(\w+)' is not defined\. Did you mean: '(\w+)'": _nearly,
    r"has no attribute '(\w+)'\. Did you mean: '(\w+)'": _nearly_its_own,
    r"shape '(\[[-\d, ]+\])' is invalid for input of size (\d+)": _reshaped,
    r"sizes (\[[-\d, ]+\]) don't multiply up to the size of dim \d+ \((\d+)\)": _reshaped,
    r"index (-?\d+) is out of bounds for (?:dimension|axis) (\d+) with size (\d+)": _out_of_bounds,
}


@cache
def _complaints() -> tuple[tuple[re.Pattern[str], _Words], ...]:
    rows = tomllib.loads(_FILE.read_text("utf-8"))["complaint"]
    listed = ((row["raised"], _filled(row["words"])) for row in rows)
    return tuple((re.compile(text), words) for text, words in (*_CALCULATED.items(), *listed))


def _filled(words: str) -> _Words:
    """Makes the words of a match."""
    groups = [int(group) for group in re.findall(r"\{(\d)\}", words)]
    template = re.sub(r"\{\d\}", "{}", words)
    return lambda match: aside(template, *(_found(match[group]) for group in groups))


def _found(text: str) -> Field:
    """What a group has found: a number, some of them, else words that may be anybody's."""
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if _SIZES.fullmatch(text):
        return joined(", ", [int(size) for size in re.findall(r"\d+", text)])
    return text
