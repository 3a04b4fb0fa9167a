"""Wraps code so that it runs in a namespace of its own beside a learner's; knows no exercise."""

from collections.abc import Iterable
from dataclasses import dataclass

_TEMPLATE = """\
def _run_apart(units, take, give):
    import linecache
    here = globals()
    apart = {{"__name__": __name__, **{{name: here[name] for name in take if name in here}}}}
    for code, label, line in units:
        file = f"<{{label}}>"
        text = "\\n" * (line - 1) + code
        lines = [line + "\\n" for line in text.split("\\n")]
        linecache.cache[file] = (len(text), None, lines, file)
        exec(compile(text, file, "exec"), apart)
    here.update({{name: apart[name] for name in give if name in apart}})
_run_apart({units!r}, {take!r}, {give!r})
del _run_apart
"""


@dataclass(frozen=True)
class Unit:
    """A piece of code to execute; `line` is its first line in the learner's cell, from 1."""

    code: str
    label: str
    line: int


def apart(units: Iterable[Unit], label: str, take: Iterable[str], give: Iterable[str]) -> Unit:
    """One unit that runs several in their own namespace: it gets `take` and leaves `give` behind.

    So a helper of the one side and a helper of the same name on the other never meet.
    """
    plain = [(unit.code, unit.label, unit.line) for unit in units]
    code = _TEMPLATE.format(units=plain, take=sorted(take), give=sorted(give))
    return Unit(code, label, 1)
