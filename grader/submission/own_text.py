"""Tells whether code may look at its own text, lines or file; by what it names, and runs nothing.

What a mark is shared by holds none of these: code that can see them is marked for itself. So can
all code but that which names, of Python and its libraries, what is known to lead nowhere else.
"""

import ast
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

# Of Python itself, and attributes of values, what leads there.
_DOORS = """
    breakpoint compile copyright credits dir eval exec exit format get_ipython getattr globals help
    license locals open quit vars
"""
_FURTHER = """
    code compiler detect_anomaly exec_module export f2py format_map fx get_field get_type_hints hub
    jit load metadata onnx package profiler save script serialization set_detect_anomaly source
    trace traceback vformat
"""
_BY_NAME = frozenset(_DOORS.split())
_SEEING = frozenset((_DOORS + _FURTHER).split())
_PARTS = re.compile(r"(?:co|f|tb|gi|cr|ag)_[a-z]+")  # of code, frames and tracebacks
_COMMON = frozenset({"__init__", "__call__", "__name__", "__class__", "__post_init__", "__len__"})
_BINDING = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
)
_PLAIN = tomllib.loads(Path(__file__).with_name("plain_names.toml").read_text(encoding="utf-8"))
_BUILTINS = frozenset(_PLAIN["builtins"].split())
_ROOMS = {library: frozenset(rooms.split()) for library, rooms in _PLAIN["rooms"].items()}
_NAMES = {library: frozenset(names.split()) for library, names in _PLAIN["names"].items()}
_NAMES["torch"] |= _NAMES["numpy"]
_DEEPEST = 6  # names of a module in a module, and what it holds

Room = tuple[str, ...]  # a library's module: its name, and those that lie in each other


def may_see_itself(trees: Sequence[ast.Module | None], lent: Collection[str] = ()) -> bool:
    """Whether code, of which these are all parts, may reach its own text, lines or file.

    `lent` are names that others give it. Code that does not parse can.
    """
    nodes = [node for tree in trees for node in (ast.walk(tree) if tree else [None])]
    if None in nodes:
        return True
    there = [node for node in nodes if node is not None]
    imported = dict(_imported(there))
    if None in imported.values():
        return True
    rooms = {name: room for name, room in imported.items() if room}
    known = {*_bound(there), *imported, *lent, *_BUILTINS}
    if _hands_rooms_on(there, rooms) or _makes_kinds(there):
        return True
    return any(_leads_there(each, rooms, known) for each in there)


def _imported(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, Room | None]]:
    """What each import binds: a module, or () for what lies in one; None: what is not known."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                path = tuple(alias.name.split("."))
                is_room = _kind(path) == "room"
                yield (
                    alias.asname or path[0],
                    (path if alias.asname else path[:1]) * is_room or None,
                )
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                path = (*("" if node.level else node.module or "").split("."), alias.name)
                kind = _kind(path)
                bound = {"room": path, "name": ()}.get(kind)
                yield alias.asname or alias.name, bound


def _kind(path: Room) -> str:
    """Of a dotted name whether it is a module, what lies in one, or a part of that; else empty."""
    library, *inside = path
    if library not in _NAMES:
        return ""
    for number, part in enumerate(inside, 1):
        if part not in _ROOMS.get(library, ()):
            is_last = number == len(inside)
            return ("name" if is_last else "part") if part in _NAMES[library] else ""
    return "room"


def _bound(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that code binds itself, but by imports."""
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.MatchMapping):
            yield node.rest or ""
        elif isinstance(node, _BINDING):
            yield node.name or ""


def _hands_rooms_on(nodes: Iterable[ast.AST], rooms: dict[str, Room]) -> bool:
    """Whether a module stands where anything but a name of it is taken."""
    are_rooms, taken_of = set(), set()
    for node in nodes:
        path = _path(node, rooms)
        if path and _kind(path) == "room":
            are_rooms.add(id(node))
        if isinstance(node, ast.Attribute):
            taken_of.add(id(node.value))
    return not are_rooms <= taken_of


def _makes_kinds(nodes: Iterable[ast.AST]) -> bool:
    """Whether `type` does more than tell a kind: from Python 3.13 a metaclass is given lines."""
    calls = (node for node in nodes if isinstance(node, ast.Call))
    telling = {id(each.func) for each in calls if len(each.args) == 1 and not each.keywords}
    named = (node for node in nodes if isinstance(node, ast.Name) and node.id == "type")
    return any(id(node) not in telling for node in named)


def _path(node: ast.AST, rooms: dict[str, Room]) -> Room:
    """The dotted name that leads from a module here; empty where none does."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) <= _DEEPEST:
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in rooms:
        return ()
    return (*rooms[node.id], *reversed(parts))


def _leads_there(node: ast.AST, rooms: dict[str, Room], known: Collection[str]) -> bool:
    if isinstance(node, ast.MatchClass):  # which takes attributes by texts
        return True
    if isinstance(node, ast.Attribute):
        path = _path(node, rooms)
        kind = _kind(path) if path else "part"
        return _is_seeing(node) if kind == "part" else not kind
    if not isinstance(node, ast.Name):
        return False
    is_special = node.id.startswith("__") and node.id not in _COMMON
    return is_special or node.id not in known or node.id in _BY_NAME


def _is_seeing(node: ast.Attribute) -> bool:
    """Whether an attribute of a value may lead there."""
    name, owner = node.attr, node.value
    if name in _SEEING or _PARTS.fullmatch(name):
        return True
    if not name.startswith("_") or name in _COMMON:
        return False
    is_own = isinstance(owner, ast.Name) and owner.id in ("self", "cls")
    return not is_own or name.startswith("__")
