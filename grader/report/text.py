"""Makes text of a submission fit to be shown: whatever it holds, it cannot steer what shows it."""

import hashlib
import re
import string

# Control characters, direction changes, invisible ones and halves of characters. Line breaks and
# tabs stay, and so do the joiners that some scripts and emoji are written with.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
# Signs that stand above and below a letter; a tower of them covers the lines around.
_MARKS = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_TOWER = re.compile(f"({_MARKS}{{3}}){_MARKS}+")
_PLAIN = frozenset([*string.printable[:95], "\n", "\t", *"√·×−→≠≤≥…–“”’✓✗ᵀγβεσμΣπ²½"])
_MAX_NAME = 80
_DIGITS = 32  # of a hash; of 12, somebody finds two names that share a page


def visible(text: str) -> str:
    """The text with every character that would act or hide written out, such as \\x1b."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text  # as nearly all is, and that is seen at once
    if _PLAIN.issuperset(text):
        return text
    return _TOWER.sub(r"\1", _HIDDEN.sub(_written_out, text))


def one_line(text: str, longest: int = 300) -> str:
    """The visible text on one line, cut with … where it is longer."""
    shown = " ".join(visible(text).split())
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def name_of(learner: str) -> str:
    """A learner's name on one line of a table; names that differ may look alike when very long."""
    shown = visible(learner).replace("\n", "\\n").replace("\t", "\\t")
    return shown if len(shown) <= _MAX_NAME else shown[: _MAX_NAME - 1] + "…"


def page_name(learner: str) -> str:
    """A file name for a learner's page: safe on every system, and no two learners share one."""
    readable = re.sub("[^a-z0-9]+", "-", learner.lower())[:40].strip("-")
    mark = hashlib.sha256(learner.encode("utf-8", "backslashreplace")).hexdigest()[:_DIGITS]
    return f"{readable}-{mark}.html" if readable else f"{mark}.html"


def points(value: float) -> str:
    """2 for 2.0, and 1.5 for 1.5."""
    return f"{value:g}"


def count(number: int, word: str) -> str:
    """1 submission, 2 submissions."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def in_sentences(*said: str) -> str:
    """Texts one behind another, of which none runs into the next."""
    *before, last = [each for each in said if each] or [""]
    return " ".join([*(each if each[-1] in ".!?…" else f"{each}." for each in before), last])
