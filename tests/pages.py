"""Reads pages and cards for tests: their tags, attributes and text, and what may stand in them."""

from __future__ import annotations

import re
from html.parser import HTMLParser

ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2", "p", "ul"),
    *("li", "table", "caption", "tr", "th", "td", "span", "a", "strong", "details", "summary"),
    *("article", "bdi", "button", "code", "dd", "div", "dl", "dt", "form", "h3", "i", "b", "input"),
    *("label", "mark", "ol", "option", "output", "pre", "progress", "rect", "script", "select"),
    *("svg", "tbody", "text", "thead"),
}
# Beside line breaks, tabs and what the terminal's own styles are made of.
ACTIVE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]")


class Page(HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.text = ""
        self._hidden = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(attrs)
        self._hidden = tag in ("style", "script")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = False

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.text += " " + " ".join(data.split()) if "\n" in data else data


def html(shown: object) -> str:
    """How a notebook draws this."""
    text: str = shown._repr_html_()  # type: ignore[attr-defined]
    return text
