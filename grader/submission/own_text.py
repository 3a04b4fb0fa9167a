"""Tells whether code may look at its own text, lines or file; by what it names, and runs nothing.

What a mark is shared by holds none of these: code that can see them is marked for itself. Where it
is not clear, it can.
"""

import ast
import re

_PLAIN = """
    __future__ abc collections copy dataclasses einops enum functools itertools math numpy random re
    string torch typing unicodedata
"""
_PYTHON = """
    Formatter __builtins__ __file__ __import__ __loader__ __spec__ ast attrgetter breakpoint
    builtins code compile dir dis eval exec exec_module faulthandler format format_map gc
    get_field get_ipython getattr globals help importlib inspect io linecache locals logging
    methodcaller open os pathlib pdb pkgutil runpy sys threading tokenize trace traceback
    tracemalloc types vars vformat warnings
"""
# Of PyTorch and NumPy: what reads the text of a function, or a file, or keeps a traceback.
_LIBRARIES = """
    compiler detect_anomaly export f2py fx hub jit load lookfor metadata onnx package profiler
    save script serialization set_detect_anomaly source
"""
_COMMON = frozenset({"__init__", "__call__", "__name__", "__class__", "__post_init__", "__len__"})
_IMPORTED = frozenset(_PLAIN.split())
_SEEING = frozenset((*_PYTHON.split(), *_LIBRARIES.split()))
_PARTS = re.compile(r"(?:co|f|tb|gi|cr|ag)_[a-z]+")  # of code, frames and tracebacks


def may_see_itself(tree: ast.Module | None) -> bool:
    """Whether code names anything that leads to its own text, to a line's number or a file."""
    return tree is None or any(map(_leads_there, ast.walk(tree)))


def _leads_there(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(each.name.partition(".")[0] not in _IMPORTED for each in node.names)
    if isinstance(node, ast.ImportFrom):
        is_plain = not node.level and (node.module or "").partition(".")[0] in _IMPORTED
        return not is_plain or any(_is_seeing(each.name) for each in node.names)
    if isinstance(node, ast.MatchClass):
        return any(map(_is_seeing, node.kwd_attrs))
    if isinstance(node, ast.Attribute):
        owner = node.value
        is_own = isinstance(owner, ast.Name) and owner.id in ("self", "cls")
        is_private = node.attr.startswith("_") and node.attr not in _COMMON
        is_own = is_own and not node.attr.startswith("__")
        return (is_private and not is_own) or _is_seeing(node.attr)
    return isinstance(node, ast.Name) and _is_seeing(node.id)


def _is_seeing(name: str) -> bool:
    return name in _SEEING or bool(_PARTS.fullmatch(name))
