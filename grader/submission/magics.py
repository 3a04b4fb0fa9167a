"""Turns a notebook cell into plain Python, line for line; runs nothing and knows no exercise."""

import re

from ..worker.cells import PYTHON_CELL_MAGICS

_MAX_CELL_MAGICS = 5
_MAX_MAGIC_CHARS = 5_000

_CELL_MAGIC = re.compile(r"\s*%%(\S*)")
_FIRST_PROMPT = re.compile(r"\s*(?:>>>|In \[\d+\]:)(?: |$)", re.MULTILINE)
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.:?|In \[\d+\]:)(?: |$)", re.MULTILINE)
_INDENT = re.compile(r"^([ \t]*)\S", re.MULTILINE)
# The patterns below are for a line without its indentation. What `%time y = f(x)` binds, stays.
_TIMED = re.compile(r"(?P<before>(?:[\w\s,.*\[\]]+=\s*)?)%time[ \t]+(?=[^\s-])")
_ASSIGNED = re.compile(r"(?P<before>[\w\s,.*\[\]()]+=\s*)(?:!|%(?=[A-Za-z]))")
_ESCAPED = re.compile(r"[%!?]|[,;/](?=\S)")
_HELP = re.compile(r"[%\w.*\[\]]+\?\??\s*(?:#.*)?$")

# Magics that define something, as the notebook's kernel has them.
_WRITES = re.compile(r"\s*%%(writefile|file)[ \t]+([^\n]*)\n?")
_RUNS = re.compile(r"^([ \t]*)%run[ \t]+([^\n]*)$", re.MULTILINE)

_IN_CODE = re.compile(r"""#[^\n]*|'''|\"\"\"|['"()\[\]{}\n]""")
_IN_STRING = re.compile(r"""\\.|'''|\"\"\"|['"\n]""", re.DOTALL)


def plain_python(source: str) -> str:
    """The cell without magics, shell lines, help and prompts; every line keeps its number.

    Call it only for a cell that does not parse as it is: `%` may begin a line of plain Python too.
    """
    if _FIRST_PROMPT.match(source):
        source = _PROMPT.sub("", source)
    for _ in range(_MAX_CELL_MAGICS):
        magic = _CELL_MAGIC.match(source)
        if magic is None:
            break
        if magic[1] not in PYTHON_CELL_MAGICS:
            return ""
        _, newline, body = source[magic.end() :].partition("\n")
        source = "\n" * source.count("\n", 0, magic.end()) + newline + body
    first = _INDENT.search(source)
    if first is not None and first[1]:  # as IPython has it: without the first line's indentation
        source = re.sub(rf"^{first[1]}", "", source, flags=re.MULTILINE)
    lines = source.split("\n")
    plain: list[str] = []
    continued = False  # a magic ends where its line has no backslash
    for line, may_begin in zip(lines, _logical_starts(source), strict=True):
        if continued:
            plain.append("")
            continued = line.endswith("\\")
        else:
            plain.append(_plain_line(line) if may_begin else line)
            continued = plain[-1] != line and line.endswith("\\")
    return "\n".join(plain)


def runnable(source: str) -> str:
    """The same, but files are run and written: for a kernel that knows `get_ipython()`."""
    if found := _WRITES.match(source):
        body = source[found.end() :]
        return f"get_ipython().run_cell_magic({found[1]!r}, {found[2]!r}, {body!r})"
    calls = _RUNS.sub(lambda m: f"{m[1]}get_ipython().run_line_magic('run', {m[2]!r})", source)
    return plain_python(calls)


def written_file(source: str) -> str:
    """The file that a cell writes instead of running; empty where it writes none."""
    found = _WRITES.match(source)
    return (found[2].split() or [""])[-1] if found else ""


def _plain_line(line: str) -> str:
    code = line.lstrip()
    if not code or len(line) > _MAX_MAGIC_CHARS:
        return line
    indent = line[: len(line) - len(code)]
    if timed := _TIMED.match(code):
        return indent + timed["before"] + code[timed.end() :]
    if assigned := _ASSIGNED.match(code):
        return indent + assigned["before"] + "None"
    return indent + "pass" if _ESCAPED.match(code) or _HELP.match(code) else line


def _logical_starts(source: str) -> list[bool]:
    """For each line, whether a statement may begin there: outside of strings and brackets.

    A magic or shell line is no Python: its quotes and brackets open nothing.
    """
    starts = [True]
    depth = 0
    quote = ""
    comment_end = -1
    position = _after_escape(source, 0)
    while True:
        token = (_IN_STRING if quote else _IN_CODE).search(source, position)
        if token is None:
            return starts
        text, position = token[0], token.end()
        if text[-1] == "\n":
            backslash = source[token.start() - 1 : token.start()] == "\\"
            joined = len(text) == 2 or (backslash and comment_end != token.start())
            if len(quote) == 1 and not joined:
                quote = ""  # never closed: an error of this line, not of the next
            starts.append(not quote and depth == 0 and not joined)
            if starts[-1]:
                position = _after_escape(source, position)
        elif quote:
            if text[0] == quote[0] and len(text) >= len(quote):
                position = token.start() + len(quote)
                quote = ""
        elif text[0] in "'\"":
            quote = text
        elif text[0] == "#":
            comment_end = position
        elif text in "([{":
            depth += 1
        elif text in ")]}":
            depth = max(0, depth - 1)


def _after_escape(source: str, start: int) -> int:
    """Where to read on: past the line that starts here if it is a magic, else at its start."""
    end = source.find("\n", start)
    end = len(source) if end < 0 else end
    line = source[start:end]
    is_magic = _plain_line(line) != line and not _TIMED.match(line.lstrip())
    return end if is_magic else start
