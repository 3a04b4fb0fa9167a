"""Says which global names a piece of code reads, binds and changes; knows no notebook."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_MAX_STRING_ANNOTATION = 500
# Nodes that are more than the sum of their parts.
_SPECIAL = frozenset(
    {
        *(*_FUNCTIONS, ast.Lambda, ast.ClassDef, *_COMPREHENSIONS),
        *(ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ExceptHandler),
        *(ast.MatchAs, ast.MatchStar, ast.MatchMapping, ast.For, ast.AsyncFor, ast.Expr),
        *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr, ast.Attribute, ast.Subscript),
    }
)


@dataclass
class Names:
    """What the code of one scope does with names, seen from outside of it."""

    now: set[str] = field(default_factory=set)  # read from outside while the code runs
    late: set[str] = field(default_factory=set)  # read from outside when what it defines is called
    binds: set[str] = field(default_factory=set)
    loops: set[str] = field(default_factory=set)  # of `binds`: only as the target of a `for`
    changed: set[str] = field(default_factory=set)  # by subscript or attribute assignment
    in_place: set[str] = field(default_factory=set)  # `NAME.method_(…)` as a statement of its own
    called_on: set[str] = field(default_factory=set)  # `NAME.method(…)` as a statement of its own
    global_stores: set[str] = field(default_factory=set)  # bound by a function's `global NAME`


def names_of(statement: ast.stmt, lazy_annotations: bool = False) -> Names:
    """The names of one module-level statement.

    With `lazy_annotations` (`from __future__ import annotations`) annotations are read late.
    """
    return _Scope([statement], lazy_annotations).names


def root(expression: ast.expr) -> str | None:
    """The name that `a.b[c](d).e` starts from."""
    node: ast.expr = expression
    while True:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.Await):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return None


class _Scope:
    """Walks the code of one scope in the order in which it runs, with a stack of its own.

    Only nested scopes recurse, so that long expressions cannot exhaust Python's stack.
    """

    def __init__(self, nodes: Iterable[ast.AST], lazy_annotations: bool) -> None:
        self.names = Names()
        self.lazy = lazy_annotations
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.loop_targets: set[int] = set()
        stack: list[ast.AST] = list(nodes)[::-1]
        while stack:
            node = stack.pop()
            if isinstance(node, ast.Name):
                self._name(node)
            elif type(node) in _SPECIAL:
                stack.extend(self._enter(node)[::-1])
            else:
                stack.extend([*ast.iter_child_nodes(node)][::-1])

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.names.now.add(node.id)
        elif isinstance(node.ctx, ast.Store) and id(node) not in self.loop_targets:
            self._bind(node.id)
        else:
            if isinstance(node.ctx, ast.Store) and node.id not in self.names.binds:
                self.names.loops.add(node.id)
            self.names.binds.add(node.id)

    def _bind(self, name: str) -> None:
        self.names.binds.add(name)
        self.names.loops.discard(name)

    def _enter(self, node: ast.AST) -> list[ast.AST]:
        """Note what the node itself does; give the parts that run in this scope, in order."""
        if isinstance(node, _FUNCTIONS):
            self._bind(node.name)
            self._absorb(_function_names(node, self.lazy), runs_now=False)
            self.names.changed.update(_given_to(node))
            self._annotations([*(a.annotation for a in _arguments(node.args)), node.returns])
            return [*node.decorator_list, *_defaults(node.args)]
        if isinstance(node, ast.Lambda):
            self._absorb(_function_names(node, self.lazy), runs_now=False)
            return _defaults(node.args)
        if isinstance(node, ast.ClassDef):
            self._bind(node.name)
            self._absorb(_class_names(node, self.lazy), runs_now=True)
            return [*node.decorator_list, *node.bases, *node.keywords]
        if isinstance(node, _COMPREHENSIONS):
            self._absorb(_comprehension_names(node, self.lazy), runs_now=True)
            return [node.generators[0].iter]
        return self._enter_plain(node)

    def _enter_plain(self, node: ast.AST) -> list[ast.AST]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if alias.name != "*":
                    self._bind(alias.asname or alias.name.partition(".")[0])
            return []
        if isinstance(node, ast.Global):
            self.globals.update(node.names)
        elif isinstance(node, ast.Nonlocal):
            self.nonlocals.update(node.names)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            self._bind(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            self._bind(node.rest)
        elif isinstance(node, ast.For | ast.AsyncFor):
            targets = (n for n in ast.walk(node.target) if isinstance(n, ast.Name))
            self.loop_targets.update(map(id, targets))
            return [node.iter, node.target, *node.body, *node.orelse]
        elif isinstance(node, ast.Assign):
            return [node.value, *node.targets]
        elif isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name):
                self.names.now.add(node.target.id)
            return [node.value, node.target]
        elif isinstance(node, ast.AnnAssign):
            self._annotations([node.annotation])
            if node.value is None and isinstance(node.target, ast.Name):
                return []  # declares, binds nothing
            return [*([node.value] if node.value else []), node.target]
        elif isinstance(node, ast.NamedExpr):
            return [node.value, node.target]
        elif isinstance(node, ast.Attribute | ast.Subscript):
            if not isinstance(node.ctx, ast.Load) and (changed := root(node)):
                self.names.changed.add(changed)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self._call_statement(node.value)
        return [*ast.iter_child_nodes(node)]

    def _call_statement(self, call: ast.Call) -> None:
        """A call whose result nobody keeps is there for what it changes."""
        called = root(call.func)
        if called in ("setattr", "delattr") and call.args and (changed := root(call.args[0])):
            self.names.changed.add(changed)
        if isinstance(call.func, ast.Attribute) and called:
            name = call.func.attr
            if name.endswith("_") and not name.endswith("__"):  # as PyTorch's in-place methods
                self.names.in_place.add(called)  # mask.triu_(), nn.init.normal_(weight)
                given = (arg for arg in call.args[:1] if not isinstance(arg, ast.Call))
                self.names.in_place.update(r for arg in given if (r := root(arg)))
            else:
                self.names.called_on.add(called)

    def _annotations(self, annotations: Iterable[ast.expr | None]) -> None:
        for annotation in annotations:
            if annotation is None:
                continue
            for node in ast.walk(annotation):
                if isinstance(node, ast.Name):
                    (self.names.late if self.lazy else self.names.now).add(node.id)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    self.names.late.update(_quoted(node.value))

    def _absorb(self, inner: Names, runs_now: bool) -> None:
        (self.names.now if runs_now else self.names.late).update(inner.now)
        self.names.late.update(inner.late)
        self.names.binds.update(inner.binds)
        self.names.global_stores.update(inner.global_stores)


def _function_names(node: _Function | ast.Lambda, lazy: bool) -> Names:
    """What a function's body takes from outside; all of it in `late`."""
    scope = _Scope(node.body if isinstance(node, _FUNCTIONS) else [node.body], lazy)
    inner = scope.names
    taken = scope.globals | scope.nonlocals
    local = (inner.binds | {arg.arg for arg in _arguments(node.args)}) - taken
    outside = ((inner.now | inner.late) - local) | scope.globals
    stores = inner.global_stores | (scope.globals & inner.binds)
    return Names(late=outside, global_stores=stores)


def _given_to(node: _Function) -> set[str]:
    """What a decorator may give a function to: a class, as a method; what it is looked up in.

    `@patch` over `def forward(self: LayerNorm, …)`, `@add_to_class(LayerNorm)` over
    `def forward(self, …)`; `@softmax.register` over another `def`.
    """
    plain = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    registers = {name for d in plain if isinstance(d, ast.Attribute) and (name := root(d))}
    first = next(iter(_arguments(node.args)), None)
    if first is None or first.arg != "self" or not node.decorator_list:
        return registers
    calls = (call for call in node.decorator_list if isinstance(call, ast.Call))
    given = [arg for call in calls for arg in (*call.args, *(k.value for k in call.keywords))]
    return registers | {a.id for a in (first.annotation, *given) if isinstance(a, ast.Name)}


def _class_names(node: ast.ClassDef, lazy: bool) -> Names:
    """What a class body takes from outside while it runs, and its methods when they are called."""
    names = Names()
    bound: set[str] = set()
    for statement in node.body:
        scope = _Scope([statement], lazy)
        inner = scope.names
        names.now |= (inner.now - bound) | scope.globals
        names.late |= inner.late  # methods do not see the names of the class
        names.binds |= scope.globals & inner.binds
        names.global_stores |= inner.global_stores
        bound |= inner.binds - scope.globals
    return names


def _comprehension_names(
    node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, lazy: bool
) -> Names:
    """What a comprehension takes from outside, its first iterable apart."""
    first, *others = node.generators
    parts: list[ast.AST] = [first.target, *first.ifs]
    for generator in others:
        parts += [generator.iter, generator.target, *generator.ifs]
    values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    inner = _Scope([*parts, *values], lazy).names
    targets = [n for g in node.generators for n in ast.walk(g.target)]
    local = {n.id for n in targets if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    # What `:=` binds belongs to the scope around.
    return Names(inner.now - local, inner.late - local, inner.binds - local)


def _arguments(arguments: ast.arguments) -> list[ast.arg]:
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [*plain, *(a for a in (arguments.vararg, arguments.kwarg) if a)]


def _defaults(arguments: ast.arguments) -> list[ast.AST]:
    return [*arguments.defaults, *(d for d in arguments.kw_defaults if d)]


def _quoted(annotation: str) -> set[str]:
    """The names in an annotation in quotes, which only tools read."""
    if len(annotation) > _MAX_STRING_ANNOTATION:
        return set()
    try:
        tree = ast.parse(annotation.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
