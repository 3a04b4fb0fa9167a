"""A written text whose words are buttons: each shows what could have stood there instead.

It knows no model: chances come as a tensor.
"""

import html
from collections.abc import Sequence

from torch import Tensor

from kit.offline_frame import Moving, frame, table

SCRIPT = """
const buttons = [...document.querySelectorAll("button")];
const shown = document.getElementById("shown");
let at = 0;
function choose(index) {
  at = Math.max(0, Math.min(index, buttons.length - 1));
  buttons.forEach((button, other) => {
    button.setAttribute("aria-pressed", other === at);
    button.tabIndex = other === at ? 0 : -1;
  });
  const rows = data[at].others.map(([word, chance]) => {
    const row = document.createElement("tr"), name = document.createElement("td");
    const number = document.createElement("td"), drawn = document.createElement("td");
    const bar = document.createElement("span");
    name.textContent = word === data[at].word ? word + " (taken)" : word;
    number.textContent = chance.toFixed(2);
    bar.className = "bar"; bar.style.width = 200 * chance + "px"; drawn.append(bar);
    row.append(name, number, drawn); return row;
  });
  const said = document.createElement("caption");
  said.textContent = `Word ${at + 1}, “${data[at].word}”: what could have stood there`;
  said.style.cssText = "text-align:left;white-space:nowrap"; shown.replaceChildren(said, ...rows);
}
buttons.forEach((button, index) => button.addEventListener("click", () => choose(index)));
document.addEventListener("keydown", event => {
  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (step) { event.preventDefault(); choose(at + step); buttons[at].focus(); }
});
choose(Number(document.body.querySelector("p").dataset.first));
"""


def alternatives(
    words: Sequence[str], chances: Tensor, names: Sequence[str], best: int = 5
) -> Moving:
    """The text, word by word, and for each word the likeliest that could have stood there.

    Click a word, or go from word to word with the arrow keys.

    words:   what was written
    chances: [len(words), vocab], before each word was drawn
    names:   id → word
    returns: it opens at the word at which the model was least sure
    """
    top, ids = chances.detach().topk(min(best, chances.shape[-1]), dim=-1)
    listed = [
        [
            (names[index], round(float(chance), 3))
            for index, chance in zip(row_ids, row, strict=True)
        ]
        for row_ids, row in zip(ids.tolist(), top.tolist(), strict=True)
    ]
    least = int(top[:, 0].argmin())
    data = [{"word": word, "others": row} for word, row in zip(words, listed, strict=True)]
    buttons = " ".join(
        f'<button type="button" aria-pressed="false" tabindex="-1">{html.escape(word)}</button>'
        for word in words
    )
    body = (
        f'<p data-first="{least}">{buttons}</p>'
        f'<table id="shown" aria-live="polite"></table>'
    )  # fmt: skip
    height = 90 + 34 * (1 + len(" ".join(words)) // 75) + 24 * best
    told = [", ".join(f"{word} {chance:.2f}" for word, chance in row) for row in listed]
    rows = [
        [str(at + 1), word, said] for at, (word, said) in enumerate(zip(words, told, strict=True))
    ]
    sure = float((top[:, 0] > 0.9).float().mean())
    summary = (
        f"{' '.join(words)}\nSure (above 0.9) at {sure:.0%} of the words; least sure at word "
        f"{least + 1}, “{words[least]}”: {told[least]}"
    )
    page = frame(body, SCRIPT, data, height, "A text: click a word to see its alternatives")
    return Moving(page, table(["", "word", "likeliest"], rows), summary)
