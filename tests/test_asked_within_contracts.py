"""Given cells ask of an exercise no more than its docstring promises: every right answer will do.

The cells that call exercises run here with answers that refuse all else, on short trainings.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from grader.curriculum.course import course as chosen_course
from grader.curriculum.syllabus import syllabus
from grader.submission.scopes import names_of
from tests.kits import new_kit
from tests.strictly import strict

NOTEBOOKS = chosen_course().notebooks
NAMES = frozenset(syllabus().names)
PICTURES = ("bars", "heatmap", "heatmaps", "lines")
# Trainings of a step or two; what stands in a cell → what stands there instead.
SHORT: dict[str, tuple[tuple[str, str], ...]] = {
    "07-46c-code": (("range(200)", "range(10)"),),
    "08-50-code": ((".split(50)", ".split(50)[:1]"),),
    "10-39-code": (("in range(steps)", "in range(1)"),),
    "10-46-code": (("count: int = 100", "count: int = 5"),),
    "11-31-code": (("in progress:", "in [*progress][:1]:"),),
    "11-38-code": (("range(steps)", "range(1)"),),
    "11-73-code": (("range(WIDTH - 1)", "range(3)"),),
    "11-77-code": (("in progress:", "in [*progress][:1]:"),),
    "12-23-code": (
        ("Progress(until - self.step) if self.step < until else ()", "range(1)"),
        (
            "{0: look(model)}, {0: deepcopy(model)}",
            "(dict.fromkeys(range(0, 721, 10), it) for it in (look(model), model))",
        ),
    ),
    "13-005-code": (("own_bert()", "None"), ("len(hidden_states(model, one))", "7")),
}
# Cells that are not run: they load BERT or other files for seconds, or need a trained model.
LEFT = """
00-16a-code 01-35-code 01-65-code 01-68-code 01-68z-code 01-77-code 01-78-code 03-58-code
03-59b-code 04-22-code 04-66-code 06-41c-code 06-41k-code 08-55f-code 09-18-code 09-25-code
09-27-code 09-37-code 09-39-code 09-55-code 09-58b-code 09-59-code 09-66-code 09-69-code
09-71-code 09-84-code 10-62-code 12-41-code 12-47-code 12-57-code 13-037-code 13-040-code
13-045-code 13-046-ask 13-046-bare 13-046-beside 13-049-six 13-059-code 13-061-code 13-086-code
13-090-six 13-092-code 13-093-code 13-094-front 13-096-code 13-096-once 13-099-code 14-20-code
14-30-code 14-36-code 14-42-code 14-50-code 14-52b-code 784adfc5
"""
# What is asked of the definitions in these cells, beside what the cells ask themselves.
MORE = {
    "07_layer_norm": """
class OfBareNumbers(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale, self.map = (nn.Parameter(each) for each in (torch.ones(4), torch.randn(4, 4)))

    def forward(self, x):
        return x + self.scale * F.layer_norm(x, (4,)) @ self.map

assert silenced(OfBareNumbers())(x).equal(x)
""",
    "10_decoder": """
recorder(*(torch.randn(4, seq, 16) for seq in (6, 5, 5)))      # heads in the batch
assert recorded[-1].shape == (1, 4, 6, 5)
""",
    "11_writing": """
some, rows = fresh_writer(len(lexicon), sight=3), held_rows[:2, :6]
caches = [KeyValueCache() for _ in some.layers]
parts = some(rows[:, :4], caches), some(rows[:, 4:5], caches, 4), some(rows[:, 5:], caches, 5)
assert torch.allclose(some(rows), torch.cat(parts, 1), atol=1e-5)
copied = classifier(encoder, 1).state_dict()
for part, tensor in encoder.state_dict().items():
    assert any(key.endswith(part) and each.equal(tensor) for key, each in copied.items())
""",
    "12_induction": """
for turn in (None, rotary):
    logits, (_, paid) = AttentionOnly(9, 2, turn=turn)(torch.arange(12).view(2, 6) % 9)
    assert logits.shape == (2, 6, 9) and paid.shape == (2, 2, 6, 6)
    assert torch.allclose(paid.sum(-1), torch.ones(())) and not paid.triu(1).any()
""",
    "13_inside_bert": "assert attention(0, torch.randn(1, 5, 384)).shape == (1, 12, 5, 5)",
}


@dataclass(frozen=True)
class Cell:
    """A given cell: what it is called, its text, the names that it reads and binds."""

    name: str
    text: str
    reads: frozenset[str]
    binds: frozenset[str]


class Guess:
    """A prediction that nobody makes."""

    def __init__(self, question: str, choices: Any = ()) -> None:
        self.choices = [*choices, *9 * [""]]

    def beside(self, *_: Any, **__: Any) -> None:
        """Compares nothing."""


class Apart(strict("TransformerForSequenceClassification")):  # type: ignore[misc]
    """A classifier that has a matrix more, as large as the table of positions: a head's, say."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.of_a_head = nn.Parameter(torch.randn(16, 64))

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Any:
        return super().forward(input_ids, mask) + self.of_a_head.mean() / 1e6


def exercises() -> dict[str, Any]:
    """All that cells may ask."""
    return {**{name: strict(name) for name in NAMES}, Apart.__base__.__name__: Apart}


@pytest.fixture
def kit() -> Iterator[None]:
    """The kit, with strict exercises as the earlier ones, and without pictures."""
    shown = dict.fromkeys(PICTURES, lambda *_, **__: "")
    with new_kit() as patch:
        import kit

        for name, members in {
            "figures": shown,
            "predict": {"predict": Guess},
            "earlier": exercises(),
        }.items():
            module = ModuleType(f"kit.{name}")
            vars(module).update(members)
            patch.setitem(sys.modules, module.__name__, module)
            patch.setattr(kit, name, module, raising=False)
        yield


@pytest.mark.parametrize("chapter", syllabus().chapters)
@pytest.mark.usefixtures("kit")
def test_cells_ask_what_is_promised(chapter: str) -> None:
    cells = [*given_cells(chapter), cell("more", MORE.get(chapter, ""))]
    places = needed(cells, len(cells) - 1)
    for place, each in enumerate(cells):
        if each.reads & NAMES and each.name not in LEFT.split():
            places |= needed(cells, place)
    own = exercises()
    namespace: dict[str, Any] = {"__name__": "cells", **own}
    for place in sorted(places):
        exec(compile(cells[place].text, cells[place].name, "exec"), namespace)
        namespace.update(own)  # whatever the cell has imported


def given_cells(chapter: str) -> list[Cell]:
    """Those that are neither a stub nor a check."""
    notebook = json.loads((NOTEBOOKS / f"{chapter}.ipynb").read_text(encoding="utf-8"))
    found = [each for each in notebook["cells"] if each["cell_type"] == "code"]
    cells = [cell(each["id"], "".join(each["source"])) for each in found]
    return [each for each in cells if not each.binds & NAMES or "kit.earlier" in each.text]


def cell(name: str, text: str) -> Cell:
    """A cell with its training cut short."""
    for old, new in SHORT.get(name, ()):
        assert old in text, f"{name} has changed: what cuts it short?"
        text = text.replace(old, new)
    if text.startswith(("check(", "hint(", "progress(")):
        text = ""
    tree = ast.parse(text)
    reads, late, binds = set[str](), set[str](), set[str]()
    for statement in tree.body:
        names = names_of(statement)
        loops = ast.walk(statement.target) if isinstance(statement, ast.For) else ()
        reads |= names.now - binds - {each.id for each in loops if isinstance(each, ast.Name)}
        late |= names.late
        binds |= names.binds
    earlier = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "earlier"
    }
    return Cell(name, text, frozenset(reads | (late - binds) | earlier), frozenset(binds))


def needed(cells: list[Cell], place: int) -> set[int]:
    """This cell, and those that give the names that it reads."""
    found: set[int] = set()
    waiting = [place]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            for name in cells[at].reads:
                givers = [each for each in range(at) if name in cells[each].binds]
                waiting += givers[-1:]
    return found
