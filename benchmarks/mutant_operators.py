"""Small changes to a syntax tree, each a slip that a hand could make; knows no exercise.

cosmic-ray's operators can be called as a library, but know Python alone, no tensor, and bring a
dozen packages along; mutmut's belong to its runner. So these are our own.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

Change = tuple[str, ast.AST | None]  # what is done, and what stands there now; None = nothing
Operator = Callable[[ast.AST], Iterator[Change]]

_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_KIN = (
    *(("mean", "sum", "amax"), ("amax", "amin", "max", "mean"), ("max", "min"), ("sum", "mean")),
    *(("softmax", "sigmoid", "log_softmax"), ("logsumexp", "sum", "amax"), ("argmax", "argmin")),
    *(("sin", "cos"), ("tril", "triu"), ("square", "abs"), ("sqrt", "square"), ("exp", "exp2")),
    *(("erf", "tanh"), ("tanh", "sigmoid", "relu"), ("ones", "zeros"), ("zeros_like", "ones_like")),
    *(("unsqueeze", "squeeze"), ("squeeze", "unsqueeze"), ("float", "double", "int")),
    *(("bool", "long", "float"), ("float64", "float32", "int64"), ("long", "int32", "float32")),
    *(("train", "eval"), ("lower", "upper", "casefold"), ("backward", "detach"), ("any", "all")),
    *(("all", "any"), ("stack", "cat"), ("flatten", "unflatten"), ("transpose", "reshape")),
    *(("append", "extend"), ("removeprefix", "removesuffix", "strip"), ("clone", "detach")),
    *(("NFD", "NFC", "NFKD"), ("Mn", "Mc"), ("sqrt", "log"), ("log", "exp"), ("item", "detach")),
)
_IN_PLACE = frozenset(
    ("masked_fill", "exp", "sub", "add", "mul", "div", "clamp", "squeeze", "unsqueeze", "transpose")
)
_METHODS = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}


def arithmetic(node: ast.AST) -> Iterator[Change]:
    """Operators exchanged, operands exchanged or dropped, or done in place."""
    if not isinstance(node, ast.BinOp):
        return
    for other in _ARITHMETIC.get(type(node.op), ()):
        yield "another operator", ast.BinOp(node.left, other(), node.right)
    yield "an operand dropped", node.left
    yield "an operand dropped", node.right
    if not isinstance(node.op, ast.Add | ast.Mult):
        yield "operands exchanged", ast.BinOp(node.right, node.op, node.left)
    method = _METHODS.get(type(node.op))
    if method:
        yield "in place", _call(ast.Attribute(node.left, method, ast.Load()), node.right)


def comparison(node: ast.AST) -> Iterator[Change]:
    """Another comparison, one step beside."""
    if isinstance(node, ast.Compare):
        for other in _COMPARISONS.get(type(node.ops[0]), ()):
            yield (
                "another comparison",
                ast.Compare(node.left, [other(), *node.ops[1:]], node.comparators),
            )


def constant(node: ast.AST) -> Iterator[Change]:
    """Numbers moved by one, turned around or 0; flags flipped; texts emptied."""
    sign = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if sign and isinstance(node, ast.UnaryOp) else node
    if not isinstance(inner, ast.Constant):
        return
    value: Any = inner.value
    if isinstance(value, bool):
        yield "flag flipped", ast.Constant(not value)
    elif isinstance(value, int | float):
        value = -value if sign else value
        near = (1e-5, 2 * value) if isinstance(value, float) else ()
        for other in (value + 1, value - 1, 0 * value, -value, *near):
            if other != value:
                yield "another number", _number(other)
    elif isinstance(value, str) and value:
        yield "another text", ast.Constant("")
        for kin in _KIN:
            if value == kin[0]:
                for name in kin[1:]:
                    yield "another text", ast.Constant(name)


def kin(node: ast.AST) -> Iterator[Change]:
    """A near relation of a function, method or dtype; a method that works in place."""
    named = isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load)
    if not named:
        return
    assert isinstance(node, ast.Attribute | ast.Name)
    name = node.attr if isinstance(node, ast.Attribute) else node.id
    others = {other for group in _KIN if group[0] == name for other in group[1:]}
    for other in sorted(others):
        yield "a near relation", _renamed(node, other)
    if isinstance(node, ast.Attribute) and name in _IN_PLACE:
        yield "in place", _renamed(node, f"{name}_")


def calls(node: ast.AST) -> Iterator[Change]:
    """A call left out, its arguments exchanged or dropped."""
    if not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
        yield "call left out", node.func.value
    for argument in node.args[:2]:
        yield "call left out", argument
    for index in range(len(node.keywords)):
        rest = node.keywords[:index] + node.keywords[index + 1 :]
        yield "keyword dropped", ast.Call(node.func, node.args, rest)
    for index in range(len(node.args) - 1):
        args = list(node.args)
        args[index], args[index + 1] = args[index + 1], args[index]
        yield "arguments exchanged", ast.Call(node.func, args, node.keywords)
    if node.args:
        yield "argument dropped", ast.Call(node.func, node.args[:-1], node.keywords)


def conditions(node: ast.AST) -> Iterator[Change]:
    """`not` added or dropped, and for or, a branch always or never taken."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", node.operand
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and for or", ast.BoolOp(other, node.values)
        for index in range(len(node.values)):
            rest = node.values[:index] + node.values[index + 1 :]
            yield "a condition dropped", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    if isinstance(node, ast.If | ast.IfExp):
        for title, test in (
            ("condition turned around", ast.UnaryOp(ast.Not(), node.test)),
            ("condition always true", ast.Constant(True)),
            ("condition never true", ast.Constant(False)),
        ):
            changed = copy.copy(node)
            changed.test = test
            yield title, changed
    if isinstance(node, ast.comprehension) and node.ifs:
        yield "filter dropped", ast.comprehension(node.target, node.iter, [], 0)
        turned: list[ast.expr] = [ast.UnaryOp(ast.Not(), test) for test in node.ifs]
        yield "filter turned around", ast.comprehension(node.target, node.iter, turned, 0)


def slices(node: ast.AST) -> Iterator[Change]:
    """Bounds moved by one or dropped, an index left out."""
    if isinstance(node, ast.Slice):
        for bound in ("lower", "upper", "step"):
            value = getattr(node, bound)
            if value is None:
                continue
            for title, other in (
                ("bound dropped", None),
                ("bound moved", ast.BinOp(value, ast.Add(), ast.Constant(1))),
                ("bound moved", ast.BinOp(value, ast.Sub(), ast.Constant(1))),
            ):
                changed = copy.copy(node)
                setattr(changed, bound, other)
                yield title, changed
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield "index left out", node.value


def loops(node: ast.AST) -> Iterator[Change]:
    """The first or the last left out, everything turned around, break for continue."""
    if isinstance(node, ast.For | ast.comprehension):
        items = _call(ast.Name("list", ast.Load()), node.iter)
        for title, bounds in (
            ("first left out", ast.Slice(ast.Constant(1))),
            ("last left out", ast.Slice(None, ast.Constant(-1))),
            ("turned around", ast.Slice(None, None, ast.Constant(-1))),
        ):
            changed = copy.copy(node)
            changed.iter = ast.Subscript(items, bounds, ast.Load())
            yield title, changed
    if isinstance(node, ast.Break):
        yield "continue for break", ast.Continue()
    if isinstance(node, ast.Continue):
        yield "break for continue", ast.Break()


def statements(node: ast.AST) -> Iterator[Change]:
    """A statement left out; what it stands around kept."""
    simple = ast.Assign | ast.AugAssign | ast.Expr | ast.If | ast.For | ast.While | ast.Raise
    if isinstance(node, simple | ast.Break | ast.Continue | ast.With | ast.Try):
        yield "statement left out", ast.Pass()
    if isinstance(node, ast.With) and len(node.body) == 1:
        yield "context left out", node.body[0]


def results(node: ast.AST) -> Iterator[Change]:
    """What is returned: cut from its graph, negative, in 64 bits, with an axis more, nothing."""
    if not isinstance(node, ast.Return) or node.value is None:
        return
    given = node.value
    for method, args in (("detach", ()), ("double", ()), ("unsqueeze", (0,))):
        call = _call(ast.Attribute(given, method, ast.Load()), *map(ast.Constant, args))
        yield f"result with .{method}()", ast.Return(call)
    yield "negative result", ast.Return(ast.UnaryOp(ast.USub(), given))
    yield "nothing returned", ast.Return(ast.Constant(None))


OPERATORS: tuple[Operator, ...] = (
    *(arithmetic, comparison, constant, kin, calls, conditions, slices, loops, statements),
    results,
)


def _renamed(node: ast.Attribute | ast.Name, name: str) -> ast.expr:
    if isinstance(node, ast.Attribute):
        return ast.Attribute(node.value, name, node.ctx)
    return ast.Name(name, node.ctx)


def _call(function: ast.expr, *args: ast.expr) -> ast.Call:
    return ast.Call(function, list(args), [])


def _number(value: int | float) -> ast.expr:
    if value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("torch", "nn", "F", "math", "unicodedata")
