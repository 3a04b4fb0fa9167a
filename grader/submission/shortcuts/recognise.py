"""Finds the library objects that code refers to, as far as reading it tells; runs nothing."""

import ast
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress

from ..statements import parsed
from .folding import text_of
from .meanings import MAX_PARTS, Contents, Getter, Own, Path, Scope, Text, Value

_MAX_QUOTED = 100  # pieces of code in strings
_MAX_KEPT = 1_000  # texts
_ONLY_ASK = frozenset({"builtins.isinstance", "builtins.issubclass"})
_GETATTR = frozenset({"builtins.getattr", "inspect.getattr_static"})
_IMPORT = frozenset({"importlib.import_module", "builtins.__import__", "pkgutil.resolve_name"})
_RUN = frozenset({"builtins.eval", "builtins.exec", "builtins.compile"})
_NAMESPACE = frozenset({"builtins.globals", "builtins.locals"})
_READ_DICT = frozenset({"get", "pop", "__getitem__", "setdefault"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Reader:
    """Reads module-level code in the order of a run, and functions with what names mean at its end.

    `see_path(path, node)` hears of every library object that is referred to, `see_method(name,
    node)` of every method called on what may be a tensor.
    """

    def __init__(
        self,
        see_path: Callable[[str, ast.AST], None],
        see_method: Callable[[str, ast.AST], None],
        own_attributes: set[str],
    ) -> None:
        self.scope = Scope()
        self._see_path = see_path
        self._see_method = see_method
        self._own_attributes = own_attributes  # names of methods and attributes of own classes
        self._attributes: dict[str, Value] = {}  # self.functional = torch.nn.functional
        self._later: deque[tuple[ast.AST, Scope]] = deque()
        self._quoted = 0
        self._texts: dict[ast.expr, str | None] = {}  # of the last expressions

    def read(self, module: ast.Module) -> None:
        """Read all statements in order, then the bodies of functions."""
        self._later.extend((node, self.scope) for node in module.body)
        while self._later:
            node, scope = self._later.popleft()
            try:
                self._block([node], scope)
            except RecursionError:
                self._in_pieces(node, scope)

    def _in_pieces(self, node: ast.AST, scope: Scope) -> None:
        """What nests too deeply for Python's stack: each name and call in it by itself."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name | ast.Attribute | ast.Call):
                with suppress(RecursionError):
                    self.value(inner, scope)

    # Statements

    def _block(self, nodes: Iterable[ast.AST], scope: Scope, in_class: bool = False) -> None:
        for node in nodes:
            if isinstance(node, ast.expr):
                self.value(node, scope)
            else:
                self._statement(node, scope, in_class)

    def _statement(self, node: ast.AST, scope: Scope, in_class: bool) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node, scope)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._block(node.decorator_list, scope)
            self._function(node, scope, in_class)
            scope[node.name] = Own.FUNCTION
        elif isinstance(node, ast.ClassDef):
            self._block([*node.decorator_list, *node.bases, *node.keywords], scope)
            scope[node.name] = Own.CLASS
            self._block(node.body, Scope(scope), in_class=True)
        elif isinstance(node, ast.Assign):
            self._assign(node.targets, node.value, scope)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self._assign([node.target], node.value, scope)
        elif isinstance(node, ast.For | ast.AsyncFor):
            self.value(node.iter, scope)
            self._bind(node.target, None, scope)
            self._block([*node.body, *node.orelse], scope, in_class)
        else:
            self._block(ast.iter_child_nodes(node), scope, in_class)

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        for alias in node.names:
            bound = alias.asname or alias.name
            if isinstance(node, ast.Import):
                root = alias.name.partition(".")[0]
                scope[alias.asname or root] = Path(alias.name if alias.asname else root)
            elif node.level == 0 and node.module:
                if alias.name == "*":
                    self.scope.stars.append(node.module)
                else:
                    scope[bound] = Path(f"{node.module}.{alias.name}")
            else:
                scope[bound] = None

    def _assign(self, targets: list[ast.expr], expression: ast.expr, scope: Scope) -> None:
        values = [self.value(each, scope) for each in _elements(expression)]
        for target in targets:
            parts = _elements(target)
            if len(parts) == len(values):
                for part, value in zip(parts, values, strict=True):
                    self._bind(part, value, scope)
            else:
                self._bind(target, None, scope)

    def _bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            scope[target.id] = value
        elif isinstance(target, ast.Attribute):
            self.value(target.value, scope)
            self._attributes[target.attr] = value
        elif isinstance(target, ast.Subscript):
            self._block([target.value, target.slice], scope)
        else:
            for child in ast.iter_child_nodes(target):
                if isinstance(child, ast.expr):
                    self._bind(child, None, scope)

    def _function(self, node: _Function, around: Scope, is_method: bool) -> None:
        """Read the default values; the body is read when all of the module has been."""
        scope = Scope(around)
        arguments = node.args
        plain = [*arguments.posonlyargs, *arguments.args]
        others = filter(None, [*arguments.kwonlyargs, arguments.vararg, arguments.kwarg])
        scope.update((argument.arg, None) for argument in [*plain, *others])
        given = [*zip(plain[::-1], arguments.defaults[::-1], strict=False)]
        named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        for argument, default in [*given, *((a, d) for a, d in named if d is not None)]:
            scope[argument.arg] = self.value(default, around)
        if is_method and plain:
            scope[plain[0].arg] = Own.OBJECT
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        self._later.extend((each, scope) for each in body)

    # Expressions

    def value(self, node: ast.expr, scope: Scope, tell: bool = True) -> Value:
        """What an expression means; the library objects in it are told on the way."""
        found = self._meaning(node, scope)
        if tell and isinstance(found, Path):
            self._see_path(found.path, node)
        return found

    def _meaning(self, node: ast.expr, scope: Scope) -> Value:
        if isinstance(node, ast.Name):
            return scope.find(node.id)
        if isinstance(node, ast.Attribute):
            return self._member(self._base(node.value, scope), node.attr)
        if isinstance(node, ast.Subscript):
            base, key = self._base(node.value, scope), self.value(node.slice, scope)
            if (text := self._as_text(node, scope)) or not isinstance(key, Text):
                return text
            in_modules = base == Path("sys.modules")
            return Path(key.text) if in_modules else self._entry(base, key.text, scope)
        if isinstance(node, ast.Call):
            return self._call(node, scope)
        if isinstance(node, ast.Lambda):
            self._function(node, scope, False)
            return Own.FUNCTION
        if isinstance(node, ast.NamedExpr):
            scope[node.target.id] = found = self.value(node.value, scope)
            return found
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            inner = Scope(scope)
            for generator in node.generators:
                self.value(generator.iter, inner)
                self._bind(generator.target, None, inner)
                self._block(generator.ifs, inner)
            values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            self._block(values, inner)
            return None
        self._block(ast.iter_child_nodes(node), scope)
        return self._as_text(node, scope)

    def _base(self, node: ast.expr, scope: Scope) -> Value:
        """What is before a dot: of `a.b.c` only the whole is told."""
        return self.value(node, scope, tell=not isinstance(node, ast.Name | ast.Attribute))

    def _text(self, node: ast.expr, scope: Scope) -> str | None:
        """What it says, if it is a text; the parts of what is read come before the whole."""
        if isinstance(node, ast.Name):
            found = scope.find(node.id)
            return found.text if isinstance(found, Text) else None
        if node not in self._texts:
            text = text_of(node, lambda part: self._text(part, scope))
            if len(self._texts) >= _MAX_KEPT:
                self._texts.clear()
            self._texts[node] = text
        return self._texts[node]

    def _as_text(self, node: ast.expr, scope: Scope) -> Text | None:
        text = self._text(node, scope)
        return None if text is None else Text(text)

    def _member(self, base: Value, name: str) -> Value:
        """`base.name`."""
        if isinstance(base, Path):
            return Contents(base) if name == "__dict__" else base / name
        return self._attributes.get(name)

    def _entry(self, base: Value, name: str, scope: Scope) -> Value:
        """`vars(base)[name]`, or `globals()[name]`."""
        if not isinstance(base, Contents):
            return None
        return scope.find(name) if base.of.path == "" else self._member(base.of, name)

    def _call(self, node: ast.Call, scope: Scope) -> Value:
        if isinstance(node.func, ast.Attribute):
            base = self._base(node.func.value, scope)
            function = self._member(base, node.func.attr)
        else:
            base, function = None, self.value(node.func, scope, tell=False)
        if isinstance(function, Path):
            self._see_path(function.path, node.func)
        asks = isinstance(function, Path) and function.path in _ONLY_ASK
        arguments = [self.value(argument, scope, tell=not asks) for argument in node.args]
        self._block((keyword.value for keyword in node.keywords), scope)
        texts = [argument.text for argument in arguments if isinstance(argument, Text)]
        if isinstance(function, Path):
            return self._call_library(function.path, node, arguments, texts, scope)
        if isinstance(function, Getter) and arguments:
            return self._get(arguments[0], function.names, node)
        if function is Own.CLASS:
            return Own.OBJECT
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if isinstance(base, Contents) and name in _READ_DICT and texts:
                return self._entry(base, texts[0], scope)
            if base is None and name not in self._own_attributes:
                self._see_method(name, node.func)
        return self._as_text(node, scope)

    def _call_library(
        self, path: str, node: ast.Call, arguments: list[Value], texts: list[str], scope: Scope
    ) -> Value:
        """A call of a library's function: those that lead to other library objects are followed."""
        if path in _GETATTR and texts and arguments:
            return self._get(arguments[0], texts[-1] if len(arguments) == 2 else texts[0], node)
        if path.endswith((".__getattribute__", ".__getattr__")) and texts:
            return self._get(Path(path.rpartition(".")[0]), texts[-1], node)
        if path in _IMPORT and texts:
            whole = path != "builtins.__import__" or len(node.args) > 3 or bool(node.keywords)
            return Path(texts[0].replace(":", ".") if whole else texts[0].partition(".")[0])
        if path == "builtins.vars" and arguments and isinstance(arguments[0], Path):
            return Contents(arguments[0])
        if path in _NAMESPACE:
            return Contents(Path(""))
        if path == "operator.attrgetter" and texts:
            return Getter(texts[0])
        if path == "operator.methodcaller" and texts:
            self._see_method(texts[0], node)
        if path in _RUN and texts:
            return self._run(texts[0], node, scope)
        if path == "builtins.type" and arguments == [None]:
            return Path("torch.Tensor")  # type(x).softmax
        return self._as_text(node, scope)

    def _get(self, base: Value, names: str, node: ast.Call) -> Value:
        """getattr: on a library's object it leads on; on what may be a tensor it is a method."""
        if base is None and names not in self._own_attributes:
            self._see_method(names, node)
        for name in names.split(".")[-MAX_PARTS:]:  # more than a path keeps
            base = self._member(base, name)
        return base

    def _run(self, code: str, node: ast.Call, scope: Scope) -> Value:
        """eval and exec: what they refer to is told at the line of the call."""
        self._quoted += 1
        if self._quoted > _MAX_QUOTED:
            return None
        tree = parsed(code)
        if tree is None:
            return None
        for inner in ast.walk(tree):
            if isinstance(inner, ast.stmt | ast.expr):
                ast.copy_location(inner, node)
        if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
            return self.value(tree.body[0].value, scope)
        self._block(tree.body, scope)
        return None


def own_attributes(tree: ast.AST) -> set[str]:
    """The names that classes in this code give to methods and attributes."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                    names.add(statement.name)
                elif isinstance(statement, ast.Assign):
                    names.update(t.id for t in statement.targets if isinstance(t, ast.Name))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
    return names


def _elements(node: ast.expr) -> list[ast.expr]:
    """The parts of `a, b`; any other expression as it is."""
    is_plain = isinstance(node, ast.Tuple | ast.List) and not any(
        isinstance(element, ast.Starred) for element in node.elts
    )
    return node.elts if is_plain and isinstance(node, ast.Tuple | ast.List) else [node]
