"""An attention to hold in the hand: arrows to move, puzzles that `check` reads; no learner's code.

`hand = Hand("weights")` in the last line of a cell shows it; `check(hand)` says what is solved.
"""

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from kit import hand_told

_PAGE = Path(__file__).parent / "page"
WORDS = ["time", "like", "arrow", "[PAD]"]
_KEYS = [[1.6, 0.4], [0.4, 1.2], [-1.0, 1.4], [1.2, -1.4]]
_VALUES = [[2.0, 0.6], [0.6, 2.0], [-2.0, 0.8], [-0.6, -1.8]]
_SECOND = {"query": [-0.6, 1.0], "keys": [[0.6, -1.0], [1.0, 0.6], [0.4, 0.8], [-0.8, -0.8]]}


@dataclass(frozen=True)
class Puzzle:
    """One task, and a question for who is stuck; what solves it stands in `page/hand.js`."""

    task: str
    question: str


PUZZLES = {
    "right_angle": Puzzle(
        "Give time a score of 0, with the query and its key at least 1 long.",
        "When is a sum of two products 0 although none of its numbers has to be?",
    ),
    "shorter_wins": Puzzle(
        "Make like score at least twice as much as time, with a shorter key. "
        "Both scores stay above 0.",
        "Besides its length, what else about a key decides its score?",
    ),
    "half_and_nothing": Puzzle(
        "Let flies take half of time, and nothing at all of [PAD].",
        "Can a softmax give exactly 0 to a score that is a number?",
    ),
    "sure_and_short": Puzzle(
        "Let flies take 0.95 of arrow, with a query no longer than 1 and no key longer than 2.",
        "What besides longer arrows makes differences between scores larger?",
    ),
    "in_between": Puzzle(
        "Bring the output to the middle between the values of time and arrow, which stay 2 apart.",
        "What must the weights be for an average to lie exactly between two points?",
    ),
    "both_kept": Puzzle(
        "Keep both: one output at the value of time, and one at the value of arrow, 2 apart.",
        "How many places can one average be at?",
    ),
}
_SHOWN = {
    "scores": ("right_angle", "shorter_wins"),
    "weights": ("half_and_nothing", "sure_and_short"),
    "heads": ("in_between", "both_kept"),
}
_STYLE = """
.hand { line-height: 1.5; } .hand figure { display: inline-block; margin: .2rem 1rem .2rem 0; }
.hand figcaption, .hand .soft { opacity: .8; } .hand svg { width: min(19rem, 88vw); touch-action: none; display: block; }
.hand .axis { stroke: currentColor; opacity: .25; stroke-width: .02; }
.hand .arrow line { stroke: var(--tone); stroke-width: .06; } .hand .arrow circle { fill: var(--tone); }
.hand .arrow text { font-size: .34px; fill: currentColor; pointer-events: none; }
.hand .arrow[tabindex] { cursor: grab; } .hand .arrow:focus { outline: none; }
.hand .arrow:focus circle { stroke: currentColor; stroke-width: .08; }
.hand .query { --tone: #d55e00; } .hand .query line { stroke-width: .11; }
.hand .key, .hand .value { --tone: #1f78b4; } .hand .value line { stroke-dasharray: .16 .08; }
.hand .output { --tone: #009e73; } .hand .output line { stroke-width: .11; }
.hand table { display: inline-block; vertical-align: top; } .hand td, .hand th { text-align: right; padding: .1rem .5rem; }
.hand td:has(.bar) { text-align: left; } .hand .bar { display: inline-block; height: .7em; background: #1f78b4; } .hand label { margin-right: 1.2rem; }
.hand .done { font-weight: 600; } .hand li { margin: .2rem 0; }
"""


class Hand:
    """Arrows of one attention.

    what: "scores" (query and keys), "weights" (values and the output too), "heads" (a second head)
    """

    def __init__(self, what: str = "weights") -> None:
        self.what, self.puzzles = what, _SHOWN[what]
        self.solved: frozenset[str] = frozenset()

    def course_check(self) -> tuple[str, tuple[str, ...]]:
        """What `check` says of it: a title, and a line for each puzzle."""
        lines = []
        for number, name in enumerate(self.puzzles, 1):
            puzzle, done = PUZZLES[name], name in self.solved
            lines.append(f"{number}. {'✓ solved' if done else '○ not yet'}: {puzzle.task}")
            if not done:
                lines.append(puzzle.question)
        count = sum(name in self.solved for name in self.puzzles)
        return f"{count} of {len(self.puzzles)} puzzles solved", tuple(lines)

    def told(self, solved: Any) -> None:
        """What the page says is solved now."""
        self.solved = frozenset(each for each in self.puzzles if each in solved)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        tasks = "\n".join(f"{n}. {PUZZLES[name].task}" for n, name in enumerate(self.puzzles, 1))
        return {
            "text/html": self._html(),
            "text/plain": f"Puzzles, to be solved in a browser:\n{tasks}",
        }

    def _html(self) -> str:
        values, heads = self.what != "scores", self.what == "heads"
        first = {"query": [1.0, 1.0], "keys": _KEYS, "values": _VALUES}
        start = {
            "heads": [first, {**_SECOND, "values": _VALUES}],
            **{"scaled": True, "masked": False, "temperature": 1.0, "second": False},
        }
        facts = {
            **{"words": WORDS, "values": values, "start": start},
            "puzzles": self.puzzles,
        }
        key = hand_told.keep(self)
        data = f'data-key="{key}" data-kernel="{hand_told.kernel()}"'
        columns = "".join(f'<th scope="col">{name}</th>' for name in ["key", "score"])
        if values:
            columns += '<th scope="col">weight</th><td></td>'
        tasks = "".join(
            f'<li data-puzzle="{name}">{escape(PUZZLES[name].task)} <span class="done"></span></li>'
            for name in self.puzzles
        )
        return f"""<style>{_STYLE}</style>
<div class="hand" {data} data-facts="{escape(json.dumps(facts), quote=True)}" data-lm-suppress-shortcuts="true">
<p class="soft">Move the tips: with the mouse, a finger, or Tab and the arrow keys (with Shift, five times as far).</p>
<ol>{tasks}</ol>
<div>{_switches(values, heads)}</div>
<div class="hand-planes"></div>
<table><thead><tr>{columns}</tr></thead><tbody></tbody></table>
<p class="hand-said" aria-live="polite"></p>
<script>{hand_told.SCRIPT}</script>
<script>{(_PAGE / "hand.js").read_text(encoding="utf-8")}</script>
</div>"""


def _switches(values: bool, heads: bool) -> str:
    fields = [_box("scaled", "divide by √d_k", True)]
    if values:
        slider = (
            '<input type="range" data-sets="temperature" min="0.1" max="3" step="0.1" value="1">'
        )
        fields += [_box("masked", "hide [PAD]", False)]
        fields += [f"<label>temperature {slider} <output>1.0</output></label>"]
    if heads:
        fields += [_box("second", "a second head", False)]
        fields += [
            f'<label{" hidden"}><input type="radio" data-sets="current" value="{n}"'
            f"{' checked' if n == 0 else ''}> show head {n + 1}</label>"
            for n in (0, 1)
        ]
    return "".join(fields)


def _box(name: str, text: str, on: bool) -> str:
    checked = " checked" if on else ""
    return f'<label><input type="checkbox" data-sets="{name}"{checked}> {text}</label>'
