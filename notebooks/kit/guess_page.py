"""How a question, a guess and an answer look, as HTML that needs no kernel and as plain text.

It knows no kernel: what a click does is in `guess_click`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from grader.notebook.guesses import SIGNS, Guess

SPOKEN = {"right": "right", "near": "near enough", "wrong": "not this time", "": ""}
# The colours of text come from the notebook, whatever its theme.
BOX = "border-left:.3rem solid #1F78B4;padding:.3rem .9rem;margin:.2rem 0;line-height:1.5"
LINE = "margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere"
FIELD = (
    "font:inherit;color:inherit;background:transparent;border:1px solid #777;border-radius:.2rem"
)
RESTS = 'data-lm-suppress-shortcuts="true"'
RUN = "Run this cell, then choose."  # a page with a kernel takes it away
KEEP = "It can be changed until the answer is shown."
WRITE = "Without buttons: add guess=… to the call above and run it again."
# While an answer waits, JupyterLab hides what else its cell shows: a plot would tell it as well.
STAYS = ".guess-waits, .guess, [data-mime-type$=error], [data-mime-type$=stderr]"
ALONE = (
    "<style>.jp-OutputArea:has(> .jp-OutputArea-child .guess-waits:not([open])) > "
    f".jp-OutputArea-child:not(:has({STAYS})) {{display: none}}</style>"
)


@dataclass(frozen=True, repr=False)
class Page:
    """The same thing twice: for a browser and as text."""

    html: str
    text: str

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


def question(
    state: Guess, choices: Sequence[str], key: str, kernel: str = "", script: str = ""
) -> Page:
    """A question that can be answered, or one whose answer is out.

    kernel: whom its buttons tell, through this script; empty where something else asks
    """
    if state.is_shown:
        inner = _listed(state, choices, _kept(state)) + (script if kernel else "")
    elif kernel:
        inner = _form(state, choices, key) + script
    else:
        inner = _listed(state, choices, f"{state.said}. {KEEP}" if state.guess else "")
    data = f'data-key="{key}" data-kernel="{kernel}"'
    group = 'class="guess" role="group" aria-label="Prediction" tabindex="-1"'
    box = f'<div {group} style="{BOX}" {data}>'
    return Page(f"{box}{inner}</div>", question_text(state, choices))


def question_text(state: Guess, choices: Sequence[str]) -> str:
    """The question without HTML."""
    listed = [f"  {'●' if each == state.guess else '·'} {each}" for each in choices]
    how = _kept(state) if state.is_shown else f"{state.said}. {KEEP}" if state.guess else WRITE
    return "\n".join([state.question, *listed, how])


def answer(state: Guess, key: str, is_out: bool) -> Page:
    """What was guessed and what came out, which is folded away until it is out.

    As text it is never folded: text has no folds.
    """
    if _is_one(state.measured, state.right):  # said once
        state = replace(state, right="")
    text = f"{state.question}\n{state.result}"
    asked = f'<p style="{LINE}">{escape(state.question)}</p>'
    if state.guess:
        sign = SIGNS[state.outcome]
        spoken = f' <span title="{SPOKEN[state.outcome]}">{sign}</span>' if sign else ""
        why = f" ({escape(state.why)})" if state.why else ""
        you = f"You: <b>{escape(state.guess)}</b>{why}{spoken}"
        inner = f'{asked}<p style="{LINE}">{_joined(you, *_found(state))}</p>'
    elif is_out:
        inner = f'{asked}<p style="{LINE}">{_joined("No guess", *_found(state))}</p>'
    else:
        fold = (
            f'<details class="guess-waits" data-key="{key}" '
            'ontoggle="window.courseLook &amp;&amp; courseLook(this)">'
        )
        inner = (
            f'{ALONE}{asked}<p style="{LINE}"><b>⋯ Answer first.</b> '
            f"What was measured waits for your guess.</p>{fold}"
            "<summary>Show it without a guess</summary>"
            f'<p style="{LINE}">{_joined(*_found(state))}</p></details>'
        )
    # JupyterLab shows the first line of what is folded away that is not empty: a blank, here.
    return Page(f' \n<div class="guess-answer" style="{BOX}">{inner}</div>', text)


def _found(state: Guess) -> tuple[str, str]:
    right = state.right if state.outcome != "right" else ""
    return (
        f"Measured: <b>{escape(state.measured)}</b>",
        f"Nearest: <b>{escape(right)}</b> ✓" if right else "",
    )


def _is_one(measured: str, right: str) -> bool:
    """Whether a choice is what was measured, to the letter or as a number."""
    try:
        return measured == right or float(measured) == float(right)
    except ValueError:
        return False


def _joined(*parts: str) -> str:
    """Sentences on one line; on lines of their own where one has more than one line."""
    told = [part for part in parts if part]
    return "\n".join(told) if any("\n" in part for part in told) else ". ".join(told)


def _kept(state: Guess) -> str:
    """What is said of a question whose answer is out."""
    if not state.guess:
        return "You looked at the answer without a guess."
    return f"{state.said}. The answer is out: this guess stays."


def _listed(state: Guess, choices: Sequence[str], below: str) -> str:
    rows = "".join(
        f'<p style="{LINE}">{"●" if each == state.guess else "○"} {escape(each)}</p>'
        for each in choices
    )
    last = f'<p style="{LINE}">{escape(below)}</p>' if below else ""
    return f'<p style="{LINE}"><b>{escape(state.question)}</b></p>{rows}{last}'


def _form(state: Guess, choices: Sequence[str], key: str) -> str:
    """Buttons for the choices or a field for a number or few words, a reason, the commitment."""
    inner = f"<legend><b>{escape(state.question)}</b></legend>"
    for each in choices:
        chosen = " checked" if each == state.guess else ""
        button = f'<input type="radio" {RESTS} name="guess-{key}" value="{escape(each)}"{chosen}>'
        inner += f'<label style="display:block;{LINE}">{button} {escape(each)}</label>'
    if not choices:
        guess = _field("guess", state.guess)
        inner += f'<label style="display:block;{LINE}">Your guess: {guess}</label>'
    reason = f"<label>Why, in three words? {_field('why', state.why)} (optional)</label>"
    verb, told = ("Change it", f"{state.said}. {KEEP}") if state.guess else ("Commit to it", RUN)
    commit = (
        f'<button type="button" {RESTS} '
        f'style="{FIELD};padding:.15rem .8rem;margin-right:.6rem;cursor:pointer" '
        f'onclick="window.courseGuess &amp;&amp; courseGuess(this)">{verb}</button>'
    )
    status = f'<span role="status" class="guess-said">{escape(told)}</span>'
    # The keys of JupyterLab rest where these fields have the focus; around them they act.
    fieldset = f'<fieldset {RESTS} style="border:0;margin:0;padding:0">{inner}</fieldset>'
    return f'{fieldset}<p style="{LINE}">{reason}</p><p style="{LINE}">{commit}{status}</p>'


def _field(name: str, value: str) -> str:
    return (
        f'<input type="text" class="guess-{name}" value="{escape(value)}" maxlength="80" '
        f'autocomplete="off" style="{FIELD};padding:.1rem .4rem;width:14em" '
        "onkeydown=\"event.key === 'Enter' &amp;&amp; window.courseGuess &amp;&amp; "
        'courseGuess(this)">'
    )
