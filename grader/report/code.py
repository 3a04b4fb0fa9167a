"""A learner's code as HTML, with the numbers that its lines have in their own file; knows no page.

Built by hand and not by a template: a large class has millions of lines.
"""

from collections.abc import Sequence, Set
from html import escape

from markupsafe import Markup

from ..candidate.message import Place, message_of
from ..candidate.records import Mark
from ..gradebook.entries import Piece
from .text import visible

_NOTHING = Markup('<p class="soft">There is no code to show.</p>')


def code_panel(mark: Mark, pieces: Sequence[Piece]) -> Markup:
    """The code under the names of its files or cells; lines that feedback names stand out."""
    return marked_panel(pieces, places_of(mark))


def marked_panel(pieces: Sequence[Piece], here: Set[Place]) -> Markup:
    """The same, where these lines stand out."""
    if not pieces:
        return _NOTHING
    parts: list[str] = []
    last = None
    for label, first, code in pieces:
        if label != last:
            end = "</pre>" if parts else ""
            parts.append(f'{end}<p class="soft"><bdi>{escape(visible(label))}</bdi></p>\n<pre>')
            last = label
        marked = {place.line for place in here if place.label == label}
        lines = enumerate(escape(visible(code)).split("\n"), first)
        parts += [
            f'<span class="row here"><span class="n">{number}</span><mark>{line}</mark>\n</span>'
            if number in marked
            else f'<span class="row"><span class="n">{number}</span>{line}\n</span>'
            for number, line in lines
        ]
    return Markup(f'<div class="code">{"".join(parts)}</pre></div>')


def places_of(mark: Mark) -> set[Place]:
    """The lines that the feedback of a mark names."""
    said = (mark.message, *(check.message for check in mark.checks))
    here = {place for told in said for _, place in message_of(told).places}
    where = mark.location
    notes = (note for note in mark.notes if note.line and not note.of_another)
    here |= {Place(note.cell, note.line) for note in notes}
    if where is None:
        return here
    others = where.sources if where.kind == "departs" else ()
    return here | {Place(where.cell, line) for line in (where.line, *others)}
