"""One page with what a learner has found out about the sealed machines; it knows no rule."""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from kit.sealed import HEADS, LENGTH, LETTERS, sealed

UNSEEN = 1000  # rows that nobody has chosen
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --ink: light-dark(#1b2430, #e6eaf0);
  --soft: light-dark(#55606e, #a9b3c0); --paper: light-dark(#fff, #12161c);
  --line: light-dark(#c3cad3, #39424f); --tone: light-dark(#134b80, #8bbbe2); }}
body {{ font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.5rem; }} h2 {{ font-size: 1.2rem; margin: 0; }}
section {{ border-top: 1px solid var(--line); padding: 1.2rem 0; break-inside: avoid; }}
blockquote {{ margin: .6rem 0; padding-left: .8rem; border-left: .25rem solid var(--tone); }}
p.soft, caption, th {{ color: var(--soft); font-weight: 400; }}
.parts {{ display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; }}
table {{ border-collapse: separate; border-spacing: 2px; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; }} th {{ text-align: right; padding-right: .4rem; }}
.map td {{ width: 2.1rem; height: 1.6rem; text-align: center; font-size: .8rem; }}
.map thead th {{ text-align: center; padding: 0; }}
.bar {{ display: inline-block; height: .7rem; background: var(--tone); min-width: 1px; }}
.letters {{ font-family: ui-monospace, monospace; letter-spacing: .15em; }}
</style>
</head>
<body><main>
<h1>{title}</h1>
<p class="soft">Three small transformers, trained by somebody who would not say for what. Every
number on this page was measured on {unseen} rows that nobody had chosen.</p>
{sections}
</main></body>
</html>
"""


@dataclass(frozen=True)
class Found:
    """What is known of one machine: how often it is predicted, and what its heads are worth."""

    name: str
    words: str
    predicted: float  # share of the rows whose every answer was said beforehand
    needed: tuple[int, ...]
    kept: Mapping[str, float]  # which heads speak → share of the rows answered as by all
    example: tuple[str, str]  # a row and its answers
    looks: Mapping[str, Tensor] = field(repr=False)  # a needed head → [query, key]

    def __str__(self) -> str:
        heads = ", ".join(map(str, self.needed)) or "none"
        return (
            f"{self.name}: {self.predicted:.1%} of {UNSEEN} rows predicted; heads needed: {heads}"
        )


def find(
    name: str,
    predict: Callable[[Tensor], Tensor],
    fewest: Callable[[Callable[[list[int]], Tensor], int], list[int]],
    words: str,
    seed: int | None = None,
) -> Found:
    """Measure one machine on unseen rows, and whoever claims to know it.

    predict: rows [batch, 6] → answers [batch, 6], without the machine
    fewest:  `fewest_heads`
    words:   what the machine does, in the finder's own words
    seed:    of the rows; None = others each time
    """
    chance = torch.Generator()
    chance.seed() if seed is None else chance.manual_seed(seed)
    rows = torch.randint(len(LETTERS), (UNSEEN, LENGTH), generator=chance)
    machine = sealed(name)
    whole = machine.answer(rows)
    needed = tuple(fewest(lambda speak: machine.answer(rows, speak), HEADS))
    sets: dict[str, Sequence[int]] = {"all": range(HEADS)}
    sets |= {f"only {_listed(needed)}": needed} if needed else {}
    for silent in range(HEADS):
        sets[f"all but {silent}"] = [head for head in range(HEADS) if head != silent]
    kept = {told: _share(machine.answer(rows, speak), whole) for told, speak in sets.items()}
    said = predict(rows.clone())
    right = _share(said, whole) if said.shape == whole.shape else 0.0
    looks = machine.attention(rows[0])
    return Found(
        name,
        words,
        right,
        needed,
        kept,
        (_letters(rows[0]), _letters(whole[0]) if machine.answers > 2 else _digits(whole[0])),
        {f"head {head}": looks[f"head {head}"] for head in needed},
    )


def page(found: Sequence[Found], path: str | Path, title: str = "Three machines, opened") -> Path:
    """Write all that was found into one HTML file that needs no network and no script."""
    text = PAGE.format(
        title=html.escape(title), unseen=f"{UNSEEN:,}", sections="\n".join(map(_section, found))
    )
    Path(path).write_text(text, encoding="utf-8")
    return Path(path)


def _section(found: Found) -> str:
    row, answers = found.example
    heads = (
        f"heads {_listed(found.needed)}" if len(found.needed) != 1 else f"head {found.needed[0]}"
    )
    words = found.words.strip() or "(not yet said)"
    parts = [_bars(found.kept), *(_map(*look, list(row)) for look in found.looks.items())]
    return f"""<section>
<h2>Machine {html.escape(found.name)}</h2>
<blockquote>{html.escape(words)}</blockquote>
<p>{found.predicted:.1%} of the rows were predicted without the machine, all six answers right.
It needs {heads if found.needed else "no head"}. One row, and what it answers:
<span class="letters">{row} → {answers}</span></p>
<div class="parts">{"".join(parts)}</div>
</section>"""


def _bars(kept: Mapping[str, float]) -> str:
    rows = (
        f'<tr><th scope="row">{told}</th><td>{share:.1%}</td>'
        f'<td><span class="bar" style="width:{7 * share:.2f}rem"></span></td></tr>'
        for told, share in kept.items()
    )
    return f"<table><caption>rows answered as by all heads</caption>{''.join(rows)}</table>"


def _map(name: str, weights: Tensor, letters: list[str]) -> str:
    head = "".join(f'<th scope="col">{letter}</th>' for letter in letters)
    rows = "".join(
        f'<tr><th scope="row">{letter}</th>{"".join(map(_cell, weights[place].tolist()))}</tr>'
        for place, letter in enumerate(letters)
    )
    caption = f"{name}: left looks at top"
    head = f"<thead><tr><td></td>{head}</tr></thead>"
    return f'<table class="map"><caption>{caption}</caption>{head}<tbody>{rows}</tbody></table>'


def _cell(weight: float) -> str:
    shade = f"color-mix(in srgb, var(--tone) {100 * weight:.0f}%, transparent)"
    ink = "var(--paper)" if weight > 0.5 else "inherit"
    return f'<td style="background:{shade};color:{ink}">{weight:.2f}</td>'


def _share(some: Any, others: Tensor) -> float:
    """Of the rows, how many are alike from the first place to the last?"""
    return float((some == others).all(-1).float().mean())


def _letters(row: Tensor) -> str:
    return "".join(LETTERS[token] for token in row.tolist())


def _digits(row: Tensor) -> str:
    return "".join(map(str, row.tolist()))


def _listed(heads: Sequence[int]) -> str:
    return " and ".join(map(str, heads))
