"""Tells whether an exercise's own statements are all that could make its behaviour; runs none."""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from .scopes import root
from .statements import Statement

# By these, code changes what it does not name.
# `setattr(self, …)` names the object that it changes, and `model.eval()` evaluates no code.
_INDIRECT = re.compile(
    r"\b(?:globals|locals|exec|builtins|reload|__dict__|__class__(?!\.__name__)|__builtins__"
    r"|importlib|__import__|set_default_\w+|set_grad_enabled|mock|patch(?=[.(])|sys\.modules"
    r"|run_line_magic|run_cell_magic|run_cell|user_(?:global_)?ns)\b"
    r"|\bwrite_text\b|\bopen\([^()\n]{1,200},[ \t]*(?:mode=)?['\"][wax]"
    r"|(?<!\*\*)\bvars\b|(?<![.\w])eval\b|(?<![\w'\"])__main__\b|\bget_ipython\(\)\.push\b"
    r"|\b(?:set|del)attr\b(?!\(self,)|^[ \t]*(?:%run|%%writefile|%%file|global[ \t]+\w+)\b",
    re.MULTILINE,
)
# What a text may give a meaning, wherever it stands: defined, assigned, or named as a text.
_DEFINES = r"(?:\b|\\n)(?:def|class)[ \t]++(\w++)"
_MAY_BIND = re.compile(_DEFINES + r"|\b(\w++)[ \t]*+=(?!=)|['\"](\w++)['\"]")
# What is read by these, other statements may have put there: the environment, files.
_SURROUNDINGS = frozenset(["environ", "getenv", "open", "read_text", "read_bytes", "load"])
_PLAIN_DECORATORS = frozenset(["staticmethod", "classmethod", "property", "torch", "functools"])
_PLAIN_VALUES = (
    *(ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.Lambda),
    *(ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context),
)


def is_indirect(code: str) -> bool:
    """Whether code may bind or change what it does not name."""
    return _INDIRECT.search(code) is not None


def defined_in(texts: Iterable[str]) -> frozenset[str]:
    """The names that are defined in these, within other code and within texts too."""
    return frozenset(name for text in texts for name in re.findall(_DEFINES, text))


def may_bind(texts: Iterable[str]) -> Counter[str]:
    """How often each name is defined or assigned so, or is named as a text."""
    return Counter(name for text in texts for found in _MAY_BIND.findall(text) for name in found)


def stand_alone(statements: Iterable[Statement], modules: Collection[str]) -> bool:
    """Whether no other statement can change unseen what these do.

    `modules` are the submission's own, in which anything may happen.
    """
    return all(_is_plain(statement.node, modules) for statement in statements)


def _is_plain(node: ast.stmt, modules: Collection[str]) -> bool:
    """A library's import, a definition or a constant."""
    for each in ast.walk(node):
        name = getattr(each, "attr", None) or getattr(each, "id", None)
        if name in _SURROUNDINGS or _reads_own(each, modules):
            return False
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        inner = list(ast.walk(node))
        decorators = [d for each in inner for d in getattr(each, "decorator_list", ())]
        return not any(isinstance(each, ast.Global) for each in inner) and all(
            root(decorator) in _PLAIN_DECORATORS for decorator in decorators
        )
    if isinstance(node, ast.Assign) and all(isinstance(each, ast.Name) for each in node.targets):
        return all(isinstance(each, _PLAIN_VALUES) for each in _outside_lambdas(node.value))
    return False


def _reads_own(node: ast.AST, modules: Collection[str]) -> bool:
    """Whether it imports a module that holds the learner's own code, wherever it stands."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return False
    names = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
    return any(part in modules for name in names for part in name.split("."))


def _outside_lambdas(node: ast.expr) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        yield each
        if not isinstance(each, ast.Lambda):
            waiting.extend(ast.iter_child_nodes(each))
