"""Fills the templates of cards and pages; whatever text it is given, none of it acts."""

import functools
import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ..candidate.records import Location
from . import wording
from .heat import heat_map
from .text import count, points, visible

_TICKS = re.compile(r"`([^`\n]+)`")
_RAISED = " raised it| raises an error for at least one implementation"
_OWN_LINE = re.compile(rf"^(Line \d+(?:{_RAISED})?): (.+)$", re.MULTILINE)
_FIRST = re.compile(r"\A(?!Line \d)([^\n]*?[.?!](?=\s|\Z)|[^\n]+)")
# Thirty and more words or numbers, one after the other; each of them is looked at once.
_LONG_LIST = re.compile(r"(?:[^\s,<>]++, ){29,}+[^\s,<>]++")
_SHOWN = 5  # of a long list
_NUMBER = re.compile(r"[-−+]?[\d.]+(?:e[-+]?\d+)?|nan|-?inf")
_TEMPLATES = Path(__file__).with_name("templates")


def render(template: str, **values: Any) -> str:
    """One template, filled; plain text among the values is escaped, `Markup` is not."""
    return _environment().get_template(template).render(values)


@functools.cache
def style(*names: str) -> Markup:
    """These style sheets as one; ours alone, so that nothing in them is escaped."""
    return Markup("".join(_text(f"{name}.css") for name in names))


@functools.cache
def script(name: str) -> Markup:
    """A script of ours."""
    return Markup(_text(f"{name}.js"))


def markdown(text: str) -> Markup:
    """Markdown as HTML; HTML in it stays text."""
    return Markup(_markdown().render(visible(text)))


def prose(text: str) -> Markup:
    """Sentences of whoever's; what stands between backticks is code, and so is a line of theirs.

    Of a long list the first few are shown, and the rest is folded.
    """
    return Markup(_LONG_LIST.sub(_folded, _prose(text)))


def folded(text: str) -> Markup:
    """Any text, of whose long lists the first few are shown, and the rest is folded."""
    return Markup(_LONG_LIST.sub(_folded, str(escape(visible(text)))))


def _folded(match: re.Match[str]) -> str:
    items = match[0].split(", ")
    first, rest = ", ".join(items[:_SHOWN]), ", ".join(items[_SHOWN:])
    more = f"<summary>and {len(items) - _SHOWN} more</summary>"
    return f'{first} <details class="list">{more}{rest}</details>'


def side_by_side(expected: str, got: str) -> tuple[Markup, Markup]:
    """Two texts with the first sign in which they differ marked; numbers and equal ones as they
    are."""
    both = visible(expected), visible(got)
    pairs = enumerate(zip(*both, strict=False))
    at = next((index for index, pair in pairs if len({*pair}) > 1), min(map(len, both)))
    is_number = any(_NUMBER.fullmatch(each) for each in both)
    if is_number or both[0] == both[1]:
        return Markup.escape(both[0]), Markup.escape(both[1])
    one, other = (
        Markup("{}<mark>{}</mark>{}").format(each[:at], each[at : at + 1] or "␄", each[at + 1 :])
        for each in both
    )
    return one, other


def _prose(text: str) -> str:
    marked = _TICKS.sub(r"<code>\1</code>", str(escape(visible(text))))
    with_lines = _OWN_LINE.sub(r'\1:<code class="own">\2</code>', marked)
    return with_lines.replace("</code>\n", "</code>")


def lead(text: str) -> Markup:
    """The same, where the first sentence is the one to read if no other is."""
    strong = _FIRST.sub(r"<strong>\1</strong>", _prose(text), count=1)
    return Markup(_LONG_LIST.sub(_folded, strong))


def located(where: Location) -> Markup:
    """The line to look at, with the part that is meant, and why."""
    html = str(prose(where.message))
    before, part, after = (str(escape(visible(each))) for each in wording.parted(where))
    whole = f'<code class="own">{before}{part}{after}</code>'
    if part and whole in html:
        meant = f'<code class="own">{before}<mark>{part}</mark>{after}</code>'
        html = html.replace(whole, meant, 1)
    return Markup(html)


def _text(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


@functools.cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).disable(["link", "image", "autolink"])


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        auto_reload=False,
        finalize=_shown,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"folded": folded, "lead": lead, "located": located, "prose": prose}
    environment.globals |= {
        "count": count,
        "heat_map": heat_map,
        "markdown": markdown,
        "points": points,
        "side_by_side": side_by_side,
        "tones": wording.TONES,
        "wording": wording,
    }
    return environment


def _shown(value: Any) -> Any:
    """What a template shows; control characters of a text are written out."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
