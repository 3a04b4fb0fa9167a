"""Finds forbidden functions that a learner's code names in plain sight; runs nothing.

What is hidden (names put together, quoted code, dictionaries of modules) shows as it runs.
"""

import ast
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import chain

from .. import Slice, Unit, file_of
from ..kept import kept
from ..parsing import parsed
from .names import MAX_PARTS, Matcher, Shortcut

_OWN = ""  # what a name means that is the learner's own, or may be a tensor
_MAX_PART = 100  # characters; names in libraries are shorter
_ONLY_ASK = frozenset({"isinstance", "issubclass"})
_IMPORTS = frozenset({"importlib.import_module", "__import__"})
_NO_CODE = frozenset({"annotation", "returns"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
See = Callable[[str | None, ast.AST], None]


def find(cut: Slice, forbidden: Iterable[str]) -> tuple[Shortcut, ...]:
    """The forbidden names that a slice refers to, as far as reading tells, in order of appearance.

    `forbidden` holds dotted names ("torch.nn.functional.softmax"), `*` for anything. A name of
    torch stands for all its aliases inside torch ("torch._C._nn.gelu", "torch.ops.aten.gelu");
    `torch.Tensor.softmax` also for that method of any object that is not the learner's own.
    The learner's own functions, comments and texts are no shortcuts.
    """
    matcher = Matcher(tuple(forbidden))
    if not any(matcher.may_be_in(unit.code, cut.exercise) for unit in cut.written):
        return ()
    by_notebook: dict[str, list[Unit]] = {}
    for unit in cut.written:
        by_notebook.setdefault(file_of(unit.label), []).append(unit)
    found: dict[Shortcut, None] = {}
    for units in by_notebook.values():
        found.update(dict.fromkeys(_find_in(units, cut, matcher)))
    return tuple(found)


def _find_in(units: list[Unit], cut: Slice, matcher: Matcher) -> list[Shortcut]:
    """The shortcuts in the units of one notebook, read one after the other."""
    statements = [(index, each) for index, unit in enumerate(units) for each in _body(unit.code)]
    found: set[tuple[int, int, str]] = set()
    now = 0

    def see(name: str | None, node: ast.AST) -> None:
        if name is not None:
            found.add((now, getattr(node, "lineno", 1), name))

    parts = frozenset[str]().union(*(_own_parts(unit.code) for unit in units))
    reader = _Reader(matcher, see, parts, dict.fromkeys((*cut.uses, *cut.absent), _OWN))
    for now, statement in (*statements, *statements):  # noqa: B007 (once to know all names)
        reader.read_all(statement)
    if path := reader.scopes[0].get(cut.exercise):  # `from torch import softmax` and no more
        imports = [each for each in statements if cut.exercise in _imported(each[1])]
        now, node = (imports or statements)[-1 if imports else 0]
        see(matcher.of_path(path), node)
    places = ((units[index], line, name) for index, line, name in sorted(found))
    return [Shortcut(name, unit.label, unit.line + line - 1) for unit, line, name in places]


def _imported(node: ast.stmt) -> set[str]:
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return set()
    return {alias.asname or alias.name for alias in node.names}


@kept
def _body(code: str) -> list[ast.stmt]:
    tree = parsed(code)
    return tree.body if tree else []


class _Reader:
    """Follows what names stand for: a library's object by its dotted path, or the learner's own."""

    def __init__(
        self, matcher: Matcher, see: See, parts: frozenset[str], own: dict[str, str]
    ) -> None:
        self.scopes: list[dict[str, str]] = [own]
        self._matcher = matcher
        self._see = see
        self._parts = parts  # methods and attributes of the learner's classes
        self._attributes: dict[str, str] = {}  # self.functional = torch.nn.functional
        self._stars: list[str] = []

    def read_all(self, node: ast.AST) -> None:
        """Read it; of what nests too deeply for Python's stack, each name by itself."""
        before = len(self.scopes)
        try:
            self._read(node)
        except RecursionError:
            del self.scopes[before:]
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name | ast.Attribute | ast.Call):
                    with suppress(RecursionError):
                        self._value(inner)

    def _read(self, node: ast.AST) -> None:
        if isinstance(node, ast.expr):
            self._value(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets if node.value is not None else ():
                self._assign(target, node.value)
        elif isinstance(node, _FUNCTIONS):
            self._function(node)
        else:
            if isinstance(node, ast.ClassDef):
                self.scopes[-1][node.name] = _OWN
            for name, value in ast.iter_fields(node):
                parts = value if isinstance(value, list) else [value]
                for part in parts if name not in _NO_CODE else ():
                    if isinstance(part, ast.AST):
                        self._read(part)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        names = self.scopes[-1]
        for alias in node.names:
            if isinstance(node, ast.Import):
                root = alias.name.partition(".")[0]
                names[alias.asname or root] = alias.name if alias.asname else root
            elif alias.name == "*":
                self._stars.append(node.module or "")
            else:
                module = "." * node.level + (node.module or "")  # no library's, where it has dots
                names[alias.asname or alias.name] = f"{module}.{alias.name}"

    def _assign(self, target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for pair in zip(target.elts, value.elts, strict=False):
                self._assign(*pair)
            return
        path = self._value(value) if value is not None else _OWN
        if isinstance(target, ast.Name):
            self.scopes[-1][target.id] = path
        elif isinstance(target, ast.Attribute):
            self._attributes[target.attr] = path
        else:
            for name in ast.walk(target):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                    self.scopes[-1][name.id] = _OWN

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        given = node.args
        plain = [*given.posonlyargs, *given.args]
        others = filter(None, (*given.kwonlyargs, given.vararg, given.kwarg))
        inner = {arg.arg: _OWN for arg in (*plain, *others)}
        defaults = [*zip(plain[::-1], given.defaults[::-1], strict=False)]
        for arg, default in (*defaults, *zip(given.kwonlyargs, given.kw_defaults, strict=True)):
            inner[arg.arg] = self._value(default) if default is not None else _OWN
        if not isinstance(node, ast.Lambda):
            self.scopes[-1][node.name] = _OWN
            for decorator in node.decorator_list:
                self._value(decorator)
        self.scopes.append(inner)
        for part in [node.body] if isinstance(node, ast.Lambda) else node.body:
            self._read(part)
        self.scopes.pop()

    def _value(self, node: ast.expr, tells: bool = True) -> str:
        """The path of the library's object that it is, else `_OWN`; what it refers to is told."""
        path = _OWN
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            path = self._meaning(node.id)
        elif isinstance(node, ast.Name):
            self.scopes[-1][node.id] = _OWN
        elif isinstance(node, ast.Attribute):
            path = self._part(self._base(node.value), node.attr)
        elif isinstance(node, ast.Call):
            path = self._call(node)
        elif isinstance(node, ast.NamedExpr):
            path = self.scopes[-1][node.target.id] = self._value(node.value)
        elif isinstance(node, ast.Lambda):
            self._function(node)
        else:
            # What a comprehension goes through gives names to what stands in front of it.
            children = ast.iter_child_nodes(node)
            for child in sorted(children, key=lambda each: not isinstance(each, ast.comprehension)):
                self._read(child)
        if path and tells:
            self._see(self._matcher.of_path(path), node)
        return path

    def _base(self, node: ast.expr) -> str:
        """What stands before a dot: of `a.b.c` only the whole is told."""
        return self._value(node, not isinstance(node, ast.Name | ast.Attribute))

    def _meaning(self, name: str) -> str:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return f"{self._stars[-1]}.{name}" if self._stars else name

    def _part(self, base: str, name: str) -> str:
        """Of a long way, which goes in circles, the last steps are kept."""
        if not base:
            return self._attributes.get(name, _OWN)
        root, *steps = f"{base}.{name[:_MAX_PART]}".split(".")
        return ".".join([root, *steps[1 - MAX_PARTS :]])

    def _call(self, node: ast.Call) -> str:
        function, name = node.func, ""
        if isinstance(function, ast.Attribute):
            base, name = self._base(function.value), function.attr
            path = self._part(base, name)
        else:
            base = path = self._value(function, tells=False)
        self._see(self._matcher.of_path(path) if path else None, function)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            self._value(argument, tells=path not in _ONLY_ASK)
        texts = [a.value for a in node.args if isinstance(a, ast.Constant) and type(a.value) is str]
        if path == "getattr" and texts and node.args:
            base, name = self._value(node.args[0], tells=False), texts[0]
            if base:
                return self._part(base, name)
        elif path in _IMPORTS and texts:
            return texts[0] if path != "__import__" else texts[0].partition(".")[0]
        elif path == "type" and len(node.args) == 1 and not self._value(node.args[0]):
            return "torch.Tensor"  # type(x).softmax
        if name and not base and name not in self._parts:
            self._see(self._matcher.of_method(name), node)
        return _OWN


@kept
def _own_parts(code: str) -> frozenset[str]:
    """The names that classes in this code give to methods and attributes."""
    names: set[str] = set()
    for node in chain.from_iterable(map(ast.walk, _body(code))):
        if isinstance(node, ast.ClassDef):
            names |= {part.name for part in node.body if isinstance(part, _FUNCTIONS[:2])}
            assigned = (part for part in node.body if isinstance(part, ast.Assign))
            targets = (target for part in assigned for target in part.targets)
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
    return frozenset(names)
