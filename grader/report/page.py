"""The frame of a page and its smallest parts; knows no mark."""

from __future__ import annotations

import html
from collections.abc import Iterable

from .text import points, visible

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
caption { text-align: left; padding: .25rem 0; }
th, td { border: 1px solid #8888; padding: .2rem .6rem; text-align: left; vertical-align: top; }
td.number { text-align: right; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
section { border-top: 1px solid #8888; margin-top: 1.5rem; }
"""


def page(title: str, body: Iterable[str]) -> str:
    """A whole page; the title is escaped here, the body must be already."""
    head = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Even if something slipped through: no script runs and nothing is fetched.
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escaped(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
    return head + "\n".join(body) + "\n</main>\n</body>\n</html>\n"


def escaped(text: str) -> str:
    """Text as HTML shows it; control characters are written out."""
    return html.escape(visible(text), quote=True)


def row(*cells: str, head: bool = False) -> str:
    """One row of a table, its first cell naming it; cells are HTML already."""
    if head:
        return "<tr>" + "".join(f'<th scope="col">{cell}</th>' for cell in cells) + "</tr>"
    first, *rest = cells
    return f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{c}</td>" for c in rest) + "</tr>"


def number(value: float) -> str:
    """A number for a table's cell."""
    return points(value)
