"""Fills the templates of cards and pages; whatever text it is given, none of it acts."""

import functools
import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from . import wording
from .heat import heat_map
from .text import count, points, visible

_TICKS = re.compile(r"`([^`\n]+)`")
_OWN_LINE = re.compile(r"^(Line \d+(?: raised it)?): (.+)$", re.MULTILINE)
_FIRST = re.compile(r"\A(?!Line \d)([^\n]*?[.?!])(?=\s|\Z)")
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
    """Sentences of whoever's; what stands between backticks is code, and so is a line of theirs."""
    marked = _TICKS.sub(r"<code>\1</code>", str(escape(visible(text))))
    return Markup(
        _OWN_LINE.sub(r'\1:<code class="own">\2</code>', marked).replace("</code>\n", "</code>")
    )


def lead(text: str) -> Markup:
    """The same, where the first sentence is the one to read if no other is."""
    return Markup(_FIRST.sub(r"<strong>\1</strong>", str(prose(text)), count=1))


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
    environment.filters |= {"lead": lead, "prose": prose}
    environment.globals |= {
        "count": count,
        "heat_map": heat_map,
        "markdown": markdown,
        "points": points,
        "tones": wording.TONES,
        "wording": wording,
    }
    return environment


def _shown(value: Any) -> Any:
    """What a template shows; control characters of a text are written out."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
