"""Says where code looks for the modules that it imports; loads none, and runs nothing."""

import posixpath
import re
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from importlib.machinery import PathFinder

# `sys.path.append("week3")`, `os.chdir("..")`, `%cd week3`: the folders that a line speaks of.
_LINE = re.compile(r"^.*(?:\bsys\.path\b|\bchdir\(|^[ \t]*[%!]?cd[ \t]).*$", re.MULTILINE)
_TEXT = re.compile(r"""(["'])(.+?)\1""")
_CHANGED = re.compile(r"^[ \t]*[%!]?cd[ \t]+(.+)$")
_INSTALLED = [*{sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}]


@cache
def is_library(module: str) -> bool:
    """Whether a package of this name is Python's own, or stands installed beside the grader."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return True
    return bool(top) and PathFinder.find_spec(top, _INSTALLED) is not None


def is_builtin(module: str) -> bool:
    """Whether Python asks no folder for it."""
    return module in sys.builtin_module_names


def searched(sources: Iterable[str], folder: str) -> dict[str, bool]:
    """The folders of which the lines of a file in `folder` speak as of places with modules, and
    whether modules there come before those beside the file."""
    found: dict[str, bool] = {}
    for line in (line for source in sources for line in _LINE.findall(source)):
        changed = _CHANGED.match(line)
        parts = [changed[1].strip("\"' ")] if changed else [said for _, said in _TEXT.findall(line)]
        if parts:
            place = posixpath.normpath(posixpath.join(folder, *parts))
            found["" if place == "." else place] = "append" not in line
    return found
