"""A page inside a frame that moves in a browser and fetches nothing; it knows no view."""

import html
import json
from dataclasses import dataclass
from typing import Any

from kit.style import COLOURS, INK

# Scripts and styles of the page itself may run; nothing may be fetched from anywhere.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
# No background and middle tones, so that a page fits a light and a dark notebook: its frame is as
# light as it, or a browser fills it with white.
STYLE = f"""
* {{ box-sizing: border-box; }}
body {{ margin: 4px; background: transparent; color: {INK}; font: 14px/1.5 sans-serif; }}
button {{ font: inherit; color: inherit; background: none; border: 1px solid transparent;
  border-bottom: 1px dotted {INK}; padding: 1px 3px; cursor: pointer; }}
button[aria-pressed=true] {{ border: 2px solid {COLOURS[1]}; font-weight: bold; }}
button:focus-visible, input:focus-visible {{ outline: 2px solid {COLOURS[0]}; }}
td, th {{ padding: 0 10px 0 0; text-align: left; font-weight: normal; }}
.bar {{ display: inline-block; height: 10px; background: {COLOURS[0]}; }}
"""


@dataclass(frozen=True)
class Moving:
    """What moves in a browser, and the same as words and as a table for everybody else."""

    frame: str  # HTML: one iframe that needs nothing from outside
    table: str  # HTML
    summary: str

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        details = f"<details><summary>The same as a table</summary>{self.table}</details>"
        return {"text/html": self.frame + details, "text/plain": self.summary}


def frame(body: str, script: str, data: Any, height: int, title: str) -> str:
    """One iframe; `script` finds what it shows in the constant `data`."""
    given = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    page = (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{html.escape(title)}</title><style>{STYLE}</style></head>"
        f"<body>{body}<script>const data = {given};\n{script}</script></body></html>"
    )
    return (
        f'<iframe title="{html.escape(title)}" sandbox="allow-scripts" '
        f'style="width:100%;height:{height}px;border:0;color-scheme:light" '
        f'srcdoc="{html.escape(page)}"></iframe>'
    )


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A plain table in HTML."""
    lines = [f"<tr>{''.join(f'<th>{html.escape(head)}</th>' for head in heads)}</tr>"]
    lines += [
        f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    ]
    return f"<table>{''.join(lines)}</table>"
