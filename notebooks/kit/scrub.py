"""A slider through the saved steps of a training: losses and attention as they become.

It trains nothing; what it shows comes as tensors.
"""

import base64
import html
from collections.abc import Mapping, Sequence

from torch import Tensor, tril_indices, uint8

from kit.offline_frame import Moving, frame, table
from kit.style import COLOURS, INK

SCRIPT = """
const slider = document.querySelector("input"), said = document.querySelector("output");
const curve = document.getElementById("curve"), heads = [...document.querySelectorAll("figure")];
const bytes = Uint8Array.from(atob(data.patterns), letter => letter.charCodeAt(0));
const size = data.tokens.length, area = size * (size + 1) / 2;  // later keys are left out
function drawCurve(now) {
  const pen = curve.getContext("2d"), wide = curve.width - 60, tall = curve.height - 30;
  const last = data.steps.length - 1;
  const highest = Math.max(...data.curves.flatMap(each => each.values));
  pen.clearRect(0, 0, curve.width, curve.height);
  pen.strokeStyle = pen.fillStyle = INK; pen.lineWidth = 1; pen.font = "12px sans-serif";
  pen.strokeRect(45, 5, wide, tall);
  pen.fillText(highest.toFixed(1), 8, 16); pen.fillText("0", 30, tall + 5);
  const x = index => 45 + wide * index / last, y = value => 5 + tall * (1 - value / highest);
  data.curves.forEach((each, number) => {
    pen.strokeStyle = COLOURS[number]; pen.lineWidth = 2; pen.setLineDash(number ? [6, 3] : []);
    pen.beginPath(); each.values.forEach((value, index) => pen.lineTo(x(index), y(value)));
    pen.stroke();
  });
  pen.setLineDash([]); pen.strokeStyle = INK; pen.beginPath();
  pen.moveTo(x(now), 5); pen.lineTo(x(now), 5 + tall); pen.stroke();
  pen.fillText("step " + data.steps[now], Math.min(x(now), wide - 20), tall + 20);
}
function drawHead(figure, number, now) {
  const canvas = figure.querySelector("canvas"), pen = canvas.getContext("2d");
  const cell = canvas.width / size, start = (number * data.steps.length + now) * area;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  for (let query = 0; query < size; query++) for (let key = 0; key <= query; key++) {
    const weight = bytes[start + query * (query + 1) / 2 + key] / 255;
    pen.globalAlpha = Math.sqrt(weight); pen.fillStyle = COLOURS[0];
    pen.fillRect(key * cell, query * cell, cell, cell);
  }
  pen.globalAlpha = 1; pen.strokeStyle = INK; pen.strokeRect(0, 0, canvas.width, canvas.height);
  const score = data.scores[number];
  figure.querySelector("figcaption").textContent = data.heads[number] + (
    score.length ? `: ${data.score} ${score[now].toFixed(2)}` : "");
}
function show() {
  const now = Number(slider.value);
  drawCurve(now); heads.forEach((figure, number) => drawHead(figure, number, now));
  const told = data.curves.map(each => `${each.name} ${each.values[now].toFixed(2)}`).join(", ");
  said.textContent = `After ${data.steps[now]} steps: ${told}`;
  slider.setAttribute("aria-valuetext", said.textContent);
}
slider.addEventListener("input", show); show();
"""


def scrub(
    steps: Sequence[int],
    curves: Mapping[str, Sequence[float]],
    patterns: Mapping[str, Tensor],
    tokens: Sequence[str],
    scores: Mapping[str, Sequence[float]] | None = None,
    score_name: str = "score",
    stretch: int | None = None,
) -> Moving:
    """Losses over the saved steps, and each head's attention at the step that the slider is at.

    Move the slider with the mouse or with the arrow keys.

    steps:    [saved];  curves: name → [saved]
    patterns: head → [saved, query, key], causal attention from 0 to 1
    tokens:   what stands along both axes
    scores:   head → [saved], a number below each pattern
    stretch:  how many tokens are a round, for the words: where each head looks in each round
    """
    scores = scores or {}
    query, key = tril_indices(len(tokens), len(tokens))
    pixels = b"".join(
        (pattern.detach()[:, query, key] * 255).round().to(uint8).numpy().tobytes()
        for pattern in patterns.values()
    )
    data = {
        "steps": list(steps),
        "curves": [{"name": name, "values": _short(values)} for name, values in curves.items()],
        "patterns": base64.b64encode(pixels).decode(),
        "tokens": list(tokens),
        "heads": list(patterns),
        "scores": [_short(scores.get(head, ())) for head in patterns],
        "score": score_name,
    }
    figures = "".join(
        '<figure style="display:inline-block;width:calc(25% - 12px);min-width:150px;'
        'margin:4px 8px 4px 0">'
        '<canvas width="210" height="210" style="width:100%;max-width:210px" role="img" '
        f'aria-label="attention of {head}; rows look at columns"></canvas>'
        "<figcaption></figcaption></figure>"
        for head in patterns
    )
    named = " · ".join(
        f'<span style="color:{COLOURS[number]}">{"- - " if number else "— "}{name}</span>'
        for number, name in enumerate(curves)
    )
    body = (
        f'<label>saved step <input type="range" min="0" max="{len(steps) - 1}" value="0" '
        'style="width:60%"></label><br><output aria-live="polite"></output><br>'
        f'<canvas id="curve" width="640" height="170" style="max-width:100%" role="img" '
        f'aria-label="losses over the steps"></canvas><br>{named}<br>'
        f"{figures}<br>Rows look at columns; the fuller the colour, the more. "
        f"The tokens: {html.escape(' '.join(tokens))}"
    )
    script = f"const INK = '{INK}', COLOURS = {list(COLOURS)};{SCRIPT}"
    rows_of_figures = -(-len(patterns) // 4)
    page = frame(body, script, data, 310 + 270 * rows_of_figures, "Slider through a training")
    columns = {**curves, **{f"{head}, {score_name}": row for head, row in scores.items()}}
    rows = [
        [str(step), *(f"{values[at]:.2f}" for values in columns.values())]
        for at, step in enumerate(steps)
    ]
    told = [
        f"{name}: from {values[0]:.2f} at step {steps[0]} to {values[-1]:.2f} at {steps[-1]}"
        for name, values in columns.items()
    ]
    looks = ["After the last step, on average:"]
    looks += (_looks(head, each[-1], stretch or len(tokens)) for head, each in patterns.items())
    words = "".join(f"<p>{html.escape(line)}</p>" for line in looks)
    return Moving(page, table(["step", *columns], rows) + words, "\n".join(told + looks))


def _looks(head: str, pattern: Tensor, stretch: int) -> str:
    """In words: how far back a head looks most, and how much it pays there, round by round."""
    told = []
    for start in range(0, len(pattern), stretch):
        some = pattern[start : start + stretch]  # [query, key]
        # Entry k: what is paid k back, by the queries that have a token so far back or none
        paid = [
            float(some.diagonal(start - back).sum()) / len(some)
            for back in range(start + len(some))
        ]
        back = max(range(len(paid)), key=lambda at: paid[at])
        told.append(f"round {start // stretch + 1}: {back} back {paid[back]:.2f}")
    return f"{head}, " + ", ".join(told)


def _short(values: Sequence[float]) -> list[float]:
    return [round(float(value), 3) for value in values]
