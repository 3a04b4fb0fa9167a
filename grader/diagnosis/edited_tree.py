"""Finds in a module's syntax tree what an edit replaces; changes nothing and runs nothing.

An edit of the whole tree's text would find a name within another; a node is itself alone.
"""

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

RETURNED = "return"  # in the place of the old text: what each `return` gives
FIRST = "first"  # what is done in front of all else
WHOLE = "all"  # the whole definition
OLD = "_"  # in the new text: what stood there
SIGNS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)  # one for all places
_INNER = (ast.FunctionDef, ast.Lambda, ast.ClassDef)


class EditError(ValueError):
    """An edit that cannot be made: what is wrong with it, and what stands there."""


@dataclass(frozen=True)
class Edit:
    """In the definition of that name ("softmax", or "LayerNorm.forward"), `new` for `old`.

    Both are an expression, or statements, or an argument such as dim=-1. `old` is replaced wherever
    it stands.
    """

    definition: str
    old: str
    new: str

    @property
    def top(self) -> str:
        """The name at the top of its module."""
        return self.definition.partition(".")[0]


class Stretch(NamedTuple):
    """A node, how many statements from there on, and which part of the tree that is."""

    node: ast.AST
    length: int
    start: float
    end: float

    def holds(self, other: "Stretch") -> bool:
        """Whether the other is a part of this one, or this one."""
        return self.start <= other.start and other.end <= self.end

    def meets(self, other: "Stretch") -> bool:
        """Whether both take a part of the tree; what is put in front of all takes none."""
        if not self.length and not other.length:
            return False
        return self.start <= other.end and other.start <= self.end


@dataclass(frozen=True, eq=False)
class Placed:
    """An edit with all its sites, and the tree of what comes there."""

    edit: Edit
    module: "Module"
    sites: tuple[Stretch, ...]
    new: ast.expr | list[ast.stmt]

    @cached_property
    def top(self) -> str:
        """The name of what it changes, at the top of its module."""
        return self.edit.top

    @cached_property
    def keeps(self) -> bool:
        """Whether what stood there is a part of what comes there."""
        nodes = self.new if isinstance(self.new, list) else [self.new]
        return any(is_old(node) for top in nodes for node in ast.walk(top))

    @cached_property
    def reads(self) -> dict[str, str]:
        """The names of the package in what comes there, and their names at home."""
        return self.module.read_in([self.new])

    def clashes(self, other: "Placed") -> bool:
        """Whether no program has both: one goes around the other alone where it keeps that."""
        return self.module is other.module and any(
            a.meets(b) and not (self.keeps and a.holds(b)) and not (other.keeps and b.holds(a))
            for a in self.sites
            for b in other.sites
        )


class Module:
    """One module's tree, which stays as it is."""

    def __init__(self, source: str, package: str) -> None:
        tree = ast.parse(source)
        self.imports: dict[str, tuple[str, str]] = {}  # from other modules of the package
        self.definitions: dict[str, ast.stmt] = {}
        kept: list[ast.stmt] = []
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.module:
                own = f"{package}." if statement.level else ""
                before, _, stem = f"{own}{statement.module}".partition(f"{package}.")
                if stem and not before:
                    names = statement.names
                    self.imports |= {one.asname or one.name: (stem, one.name) for one in names}
                    continue
            kept.append(statement)
            for name in _bound(statement):
                self.definitions[name] = statement
        body = ast.Module(kept, type_ignores=[])
        self.spans: dict[int, tuple[int, int]] = {}
        self.above: dict[int, int] = {}  # of each node, by its id, what it is a part of
        self.functions: dict[int, ast.FunctionDef] = {}  # in whose body it is, the outermost
        self._number(body, None)
        self._found: dict[str, dict[str, list[ast.AST]]] = {}
        self._blocks: dict[str, list[tuple[list[ast.stmt], list[str]]]] = {}

    def _number(self, node: ast.AST, function: ast.FunctionDef | None) -> None:
        start = len(self.spans)
        self.spans[id(node)] = start, start
        if function is not None:
            self.functions[id(node)] = function
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, SIGNS):
                self.above[id(child)] = id(node)
                around = function
                if around is None and isinstance(node, ast.FunctionDef) and child in node.body:
                    around = node
                self._number(child, around)
        self.spans[id(node)] = start, len(self.spans) - 1

    def placed(self, edit: Edit) -> Placed:
        """Where an edit acts; raises EditError where its text stands nowhere."""
        scope = self._scope(edit.definition)
        if edit.old == WHOLE:
            body = _parsed(edit.new)
            if not any(edit.definition in _bound(statement) for statement in body):
                raise EditError(f"it does not define {edit.definition!r}")
            return Placed(edit, self, (self._site(scope),), body)
        new = _parsed(edit.new)
        value = _expression(new)
        if edit.old == FIRST:
            place = self.spans[id(body_of(scope)[0])][0] - 0.5
            return Placed(edit, self, (Stretch(body_of(scope)[0], 0, place, place),), new)
        if edit.old == RETURNED:
            if value is None:
                raise EditError(f"{edit.new!r} is no expression")
            nodes = [node.value for node in _returns(body_of(scope)) if node.value is not None]
            return Placed(edit, self, tuple(map(self._site, nodes)), value)
        old = _parsed(edit.old)
        wanted = _expression(old)
        if wanted is not None and value is not None:
            found = self._by_text(edit.definition, scope).get(ast.dump(wanted), [])
            sites = tuple(map(self._site, found))
        else:
            sites, value = tuple(self._runs(edit.definition, scope, old)), None
            given, instead = _keyword(old), _keyword(new)
            if not sites and given and instead and given.arg == instead.arg:
                sites, value = tuple(map(self._site, _passed(scope, given))), instead.value
        if not sites:
            raise EditError(f"{edit.old!r} stands nowhere; there stands:\n{_shown(scope)}")
        return Placed(edit, self, sites, new if value is None else value)

    def read_in(self, trees: Sequence[Any]) -> dict[str, str]:
        """The names of the package that trees of this module read, and their names at home."""
        tops = [top for tree in trees for top in (tree if isinstance(tree, list) else [tree])]
        nodes = (node for top in tops for node in ast.walk(top) if isinstance(node, ast.Name))
        read = {node.id for node in nodes if isinstance(node.ctx, ast.Load)}
        home = {name: name for name in self.definitions} | {
            local: name for local, (_, name) in self.imports.items()
        }
        return {local: name for local, name in home.items() if local in read}

    def _scope(self, definition: str) -> ast.stmt:
        top, *inner = definition.split(".")
        scope = self.definitions[top]
        for name in inner:
            parts = body_of(scope)
            found = [one for one in parts if getattr(one, "name", None) == name]
            if not found:
                raise EditError(f"{top} has nothing called {name!r}")
            scope = found[0]
        return scope

    def _by_text(self, definition: str, scope: ast.stmt) -> dict[str, list[ast.AST]]:
        """The expressions of a definition by their dump."""
        if definition not in self._found:
            found = self._found[definition] = {}
            for node in ast.walk(scope):
                if isinstance(node, ast.expr):
                    found.setdefault(ast.dump(node), []).append(node)
        return self._found[definition]

    def _runs(self, name: str, scope: ast.stmt, old: Sequence[ast.stmt]) -> Iterator[Stretch]:
        """Where these statements stand, one after the other."""
        if name not in self._blocks:
            every = (part for node in ast.walk(scope) for _, part in ast.iter_fields(node))
            blocks = [b for b in every if isinstance(b, list) and b and isinstance(b[0], ast.stmt)]
            self._blocks[name] = [(block, list(map(ast.dump, block))) for block in blocks]
        wanted = [ast.dump(statement) for statement in old]
        for block, dumped in self._blocks[name]:
            for index in range(len(block) - len(wanted) + 1):
                if dumped[index : index + len(wanted)] == wanted:
                    run = [self.spans[id(one)] for one in block[index : index + len(wanted)]]
                    yield Stretch(block[index], len(run), run[0][0], run[-1][1])

    def _site(self, node: ast.AST) -> Stretch:
        return Stretch(node, 1, *self.spans[id(node)])


def is_old(node: Any) -> bool:
    """Whether a new text names there what stood in its place."""
    return isinstance(node, ast.Name) and node.id == OLD and isinstance(node.ctx, ast.Load)


def _parsed(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text.strip()).body
    except SyntaxError as error:
        raise EditError(f"{text!r} is no Python: {error.msg}") from None


def _expression(statements: Sequence[ast.stmt]) -> ast.expr | None:
    only = statements[0] if len(statements) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None


def _keyword(statements: Sequence[ast.stmt]) -> ast.keyword | None:
    """The only statement as an argument such as dim=-1, if it can be that."""
    only = statements[0] if len(statements) == 1 else None
    if not isinstance(only, ast.Assign) or not isinstance(only.targets[0], ast.Name):
        return None
    return ast.keyword(only.targets[0].id, only.value)


def _passed(scope: ast.stmt, wanted: ast.keyword) -> Iterator[ast.expr]:
    """The values of arguments that are given like this."""
    dumped = ast.dump(wanted)
    for node in ast.walk(scope):
        if isinstance(node, ast.keyword) and ast.dump(node) == dumped:
            yield node.value


def _bound(statement: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module gives a value."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def stored_in(new: Any) -> set[str]:
    """The names that an expression, or statements, give a value."""
    nodes = [node for top in (new if isinstance(new, list) else [new]) for node in ast.walk(top)]
    names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def dumps(scope: ast.AST) -> list[str]:
    """The dump of every expression in it."""
    return [ast.dump(node) for node in ast.walk(scope) if isinstance(node, ast.expr)]


def body_of(scope: ast.stmt) -> list[ast.stmt]:
    """The statements of a definition, without its docstring."""
    if not isinstance(scope, (ast.FunctionDef, ast.ClassDef)):
        raise EditError("that is no function and no class")
    is_told = ast.get_docstring(scope, clean=False) is not None
    return scope.body[is_told:]


def _returns(statements: Sequence[ast.AST]) -> Iterator[ast.Return]:
    """The returns of a function, and not of those that it defines."""
    for node in statements:
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(node, _INNER):
            yield from _returns(list(ast.iter_child_nodes(node)))


def _shown(scope: ast.stmt) -> str:
    if not isinstance(scope, (ast.FunctionDef, ast.ClassDef)):
        return ast.unparse(scope)
    shown = copy.copy(scope)
    shown.body = body_of(scope)
    return ast.unparse(shown)
