"""Finds in a module's syntax tree what an edit replaces, and replaces it; runs nothing.

An edit of the whole tree's text would find a name within another; a node is itself alone.
"""

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

RETURNED = "return"  # in the place of the old text: what each `return` gives
FIRST = "first"  # what is done in front of all else
WHOLE = "all"  # the whole definition
OLD = "_"  # in the new text: what stood there
_SIGNS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)  # one for all places
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
    def keeps(self) -> bool:
        """Whether what stood there is a part of what comes there."""
        nodes = self.new if isinstance(self.new, list) else [self.new]
        return any(_is_old(node) for top in nodes for node in ast.walk(top))

    def clashes(self, other: "Placed") -> bool:
        """Whether no program has both."""
        if self.module is not other.module:
            return False
        return any(
            one.meets(two)
            and not (self.keeps and one.holds(two))
            and not (other.keeps and two.holds(one))
            for one in self.sites
            for two in other.sites
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
                first, _, stem = statement.module.partition(".")
                if first == package:
                    names = statement.names
                    self.imports |= {one.asname or one.name: (stem, one.name) for one in names}
                    continue
            kept.append(statement)
            for name in _bound(statement):
                self.definitions[name] = statement
        body = ast.Module(kept, type_ignores=[])
        self.code = compile(body, f"<{package}>", "exec", dont_inherit=True)
        self.spans: dict[int, tuple[int, int]] = {}
        self.above: dict[int, int] = {}  # of each node, by its id, what it is a part of
        self._number(body)
        self._found: dict[str, dict[str, list[ast.AST]]] = {}

    def _number(self, node: ast.AST) -> None:
        start = len(self.spans)
        self.spans[id(node)] = start, start
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, _SIGNS):
                self.above[id(child)] = id(node)
                self._number(child)
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
            sites, value = tuple(self._runs(scope, old)), None
            if not sites and (pair := _keywords(old, new)):
                sites, value = tuple(map(self._site, _passed(scope, pair[0]))), pair[1].value
        if not sites:
            raise EditError(f"{edit.old!r} stands nowhere; there stands:\n{_shown(scope)}")
        return Placed(edit, self, sites, new if value is None else value)

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

    def _runs(self, scope: ast.stmt, old: Sequence[ast.stmt]) -> Iterator[Stretch]:
        """Where these statements stand, one after the other."""
        wanted = [ast.dump(statement) for statement in old]
        for node in ast.walk(scope):
            for _, block in ast.iter_fields(node):
                if not isinstance(block, list) or not block or not isinstance(block[0], ast.stmt):
                    continue
                for index in range(len(block) - len(wanted) + 1):
                    run = block[index : index + len(wanted)]
                    if [ast.dump(statement) for statement in run] == wanted:
                        start, end = self.spans[id(run[0])][0], self.spans[id(run[-1])][1]
                        yield Stretch(run[0], len(run), start, end)

    def _site(self, node: ast.AST) -> Stretch:
        return Stretch(node, 1, *self.spans[id(node)])


def rebuilt(module: Module, edits: Sequence[Placed]) -> list[ast.stmt]:
    """The statements at the top of a module that the edits change, with what comes there."""
    made: list[ast.stmt] = []
    work = _Rebuilding(module.above, edits)
    for statement in dict.fromkeys(module.definitions.values()):
        whole = [e for e in edits if e.edit.old == WHOLE and e.sites[0].node is statement]
        if whole and isinstance(whole[0].new, list):
            made += whole[0].new
        elif id(statement) in work.touched:
            made += work.block([statement])
    return made


class _Rebuilding:
    """Copies what leads to a site, and shares all else with the tree."""

    def __init__(self, above: Mapping[int, int], edits: Sequence[Placed]) -> None:
        # What takes a place comes first; what keeps what stood there is put around that.
        ordered = sorted(edits, key=lambda placed: (placed.keeps, placed.edit.old == RETURNED))
        self.acts = [(site, placed) for placed in ordered for site in placed.sites]
        self.touched: set[int] = set()  # what leads to a site
        for site, _ in self.acts:
            place: int | None = id(site.node)
            while place is not None and place not in self.touched:
                self.touched.add(place)
                place = above.get(place)

    def node(self, node: ast.AST) -> Any:
        if id(node) not in self.touched:
            return node
        made: Any = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                setattr(made, name, self.node(value))
            elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(made, name, self.block(value))
            elif isinstance(value, list):
                parts = [self.node(one) if isinstance(one, ast.AST) else one for one in value]
                setattr(made, name, parts)
        for site, placed in self.acts:
            if site.node is node and not isinstance(placed.new, list):
                made = _filled(placed.new, made)
        return made

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        index = 0
        while index < len(statements):
            acts = [(s, p.new) for s, p in self.acts if s.node is statements[index]]
            blocks = [(site.length, new) for site, new in acts if isinstance(new, list)]
            for count, new in blocks:
                made += new if not count else []
            size = max([count for count, _ in blocks if count], default=1)
            part = [self.node(one) for one in statements[index : index + size]]
            for count, new in blocks:
                part = list(_spliced(new, part)) if count else part
            made += part
            index += size
        return made or ast.parse("pass").body


def _filled(new: Any, old: ast.expr) -> Any:
    """The new tree with the old one where it names it."""
    if _is_old(new):
        return old
    if isinstance(new, list):
        return [_filled(one, old) for one in new]
    if not isinstance(new, ast.AST) or isinstance(new, _SIGNS):
        return new
    made = copy.copy(new)
    for name, value in ast.iter_fields(new):
        setattr(made, name, _filled(value, old))
    return made


def _spliced(new: Sequence[ast.stmt], old: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in new:
        if isinstance(statement, ast.Expr) and _is_old(statement.value):
            yield from old
            continue
        made = copy.copy(statement)
        for name, value in ast.iter_fields(statement):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(made, name, list(_spliced(value, old)))
        yield made


def _is_old(node: Any) -> bool:
    return isinstance(node, ast.Name) and node.id == OLD and isinstance(node.ctx, ast.Load)


def _parsed(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text.strip()).body
    except SyntaxError as error:
        raise EditError(f"{text!r} is no Python: {error.msg}") from None


def _expression(statements: Sequence[ast.stmt]) -> ast.expr | None:
    only = statements[0] if len(statements) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None


def _keywords(
    old: Sequence[ast.stmt], new: Sequence[ast.stmt]
) -> tuple[ast.keyword, ast.keyword] | None:
    """Both as arguments with the same name, such as dim=-1, if they can be that."""
    found = []
    for only in (*old, *new):
        target = only.targets[0] if isinstance(only, ast.Assign) else None
        if isinstance(only, ast.Assign) and isinstance(target, ast.Name):
            found.append(ast.keyword(target.id, only.value))
    if len(found) != 2 or len(old) != 1 or found[0].arg != found[1].arg:
        return None
    return found[0], found[1]


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
