"""Makes mutants of the solutions: each one small change away from an exercise's reference."""

from __future__ import annotations

import ast
import copy
import difflib
import functools
import importlib
import inspect
import linecache
import random
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from grader.curriculum.references import reference
from grader.curriculum.syllabus import syllabus

from .mutant_operators import OPERATORS, Change

Path = tuple[tuple[str, int | None], ...]  # from the module down: fields, and places in lists
_MOST_NAMES = 3  # others that one name is exchanged for


@dataclass(frozen=True)
class Mutant:
    """A changed solution: what was done, where, and the source of the whole chapter's module."""

    exercise: str
    title: str
    line: int
    before: str
    after: str
    source: str
    lines: frozenset[int]  # of the source: those that are not as they were
    first: frozenset[int] = frozenset()  # of several changes, the lines of that which stands first

    @property
    def name(self) -> str:
        return f"{self.title}: {self.before}  →  {self.after}"

    def made(self) -> Any:
        """The function or class itself, in a module of its own."""
        module = types.ModuleType(f"mutant_of_{self.exercise}")
        module.__dict__["__builtins__"] = __builtins__
        for name in syllabus().needs(self.exercise):  # what it may call, and may not define
            module.__dict__[name] = reference(name)
        sys.modules[module.__name__] = module
        file = f"<{module.__name__}.ipynb, cell 1>"  # lines of a learner's, to the grader
        linecache.cache[file] = len(self.source), None, self.source.splitlines(True), file
        exec(compile(self.source, file, "exec", dont_inherit=True), module.__dict__)
        return getattr(module, self.exercise)


def mutants(exercise: str) -> tuple[Mutant, ...]:
    """All mutants of one exercise, in the order of its lines."""
    return _mutants(exercise, *_reading(exercise))


def original(exercise: str) -> str:
    """The chapter's module as mutants are made of it."""
    tree, _ = _reading(exercise)
    return _whole(tree)


def planted(exercise: str, source: str, count: int, draw: random.Random) -> Mutant | None:
    """Source with so many drawn changes, each in lines of its own; None where that cannot be."""
    whole = _whole(ast.parse(source))
    now = whole
    title = []
    for _ in range(count):
        tree = ast.parse(now)
        names = [getattr(part, "name", "") for part in tree.body]
        if exercise not in names:
            return None
        index = len(names) - 1 - names[::-1].index(exercise)
        taken = _changed(whole, now) if now != whole else frozenset()
        chosen = _drawn(exercise, tree, index, taken, draw)
        if chosen is None:
            return None
        title.append(chosen.name)
        now = chosen.source
    blocks = _blocks(whole, now)
    if len(blocks) < count:
        return None
    lines = frozenset[int]().union(*blocks)
    return Mutant(exercise, "; ".join(title), 0, "", "", now, lines, blocks[0])


def _drawn(
    exercise: str, tree: ast.Module, index: int, taken: frozenset[int], draw: random.Random
) -> Mutant | None:
    """One change that leaves these lines alone; to write out all takes a thousand times longer."""
    places = (("body", index),)
    changes = [
        (path, *change)
        for path, node in _nodes(tree, places)
        for change in _changes(tree, path, node)
    ]
    draw.shuffle(changes)
    made = (_mutant(exercise, tree, *change) for change in changes)
    return next((each for each in made if each and taken.isdisjoint(each.lines)), None)


def _mutants(exercise: str, tree: ast.Module, index: int) -> tuple[Mutant, ...]:
    found: dict[str, Mutant] = {}
    for path, node in _nodes(tree, (("body", index),)):
        for title, other in _changes(tree, path, node):
            made = _mutant(exercise, tree, path, title, other)
            if made is not None:
                found.setdefault(made.source, made)
    return tuple(found.values())


def _reading(exercise: str) -> tuple[ast.Module, int]:
    """The chapter's module without docstrings, and which statement of it is the exercise.

    Helpers beside it are no learner's: the notebook gives them.
    """
    chapter = syllabus()[exercise].chapter.partition("_")[2]
    module = importlib.import_module(f"solutions.{chapter}")
    tree = ast.parse(inspect.getsource(module))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    names = [getattr(part, "name", "") for part in tree.body]
    return tree, names.index(exercise)


def _nodes(tree: ast.AST, path: Path) -> Iterator[tuple[Path, ast.AST]]:
    """Every node below a place, but for type hints."""
    node = _at(tree, path)
    yield path, node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        if isinstance(value, ast.AST):
            yield from _nodes(tree, (*path, (field, None)))
        elif isinstance(value, list):
            for index, part in enumerate(value):
                if isinstance(part, ast.AST):
                    yield from _nodes(tree, (*path, (field, index)))


def _changes(tree: ast.Module, path: Path, node: ast.AST) -> Iterator[Change]:
    if any(isinstance(part, ast.Raise) for part in _above(tree, path)[:-1]):
        return  # what an exception says is free
    parent = _at(tree, path[:-1]) if path[:-1] else tree
    if isinstance(parent, ast.UnaryOp) and isinstance(node, ast.Constant):
        return  # seen with its sign
    for operator in OPERATORS:
        yield from operator(node)
    yield from _names(tree, path, node)
    yield from _bodies(node)
    yield from _attributes(tree, path, node)


def _names(tree: ast.Module, path: Path, node: ast.AST) -> Iterator[Change]:
    """Another variable of the same function in the place of this one."""
    if not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)):
        return
    inside = [part for part in _above(tree, path) if isinstance(part, ast.FunctionDef)]
    if not inside:
        return
    known = _variables(inside[-1])
    if node.id in known:
        for other in [name for name in known if name != node.id][:_MOST_NAMES]:
            yield "another variable", ast.Name(other, ast.Load())


def _variables(function: ast.FunctionDef) -> list[str]:
    """Parameters, then what is assigned."""
    names = [arg.arg for arg in function.args.args if arg.arg != "self"]
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append(node.id)
    return list(dict.fromkeys(names))


def _attributes(tree: ast.Module, path: Path, node: ast.AST) -> Iterator[Change]:
    """Another part of the same object: self.key for self.query, or one layer for two."""
    owner = next((part for part in _above(tree, path) if isinstance(part, ast.ClassDef)), None)
    if owner is None:
        return
    held = [
        part.attr
        for part in ast.walk(owner)
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
    ]
    if _of_self(node) and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        for other in held:
            if node.attr in held and other != node.attr:
                yield "another part", ast.Attribute(node.value, other, node.ctx)
    if isinstance(node, ast.Assign) and _of_self(node.targets[0]):
        built = ast.unparse(node.value)
        for part in ast.walk(owner):
            if part is node:
                return
            if isinstance(part, ast.Assign) and ast.unparse(part.value) == built:
                yield "one part for two", ast.Assign(node.targets, _loaded(part.targets[0]))
    if isinstance(node, ast.GeneratorExp):
        items = ast.ListComp(node.elt, node.generators)
        first = ast.Subscript(items, ast.Constant(0), ast.Load())
        count = ast.Call(ast.Name("len", ast.Load()), [items], [])
        repeated = ast.List([first], ast.Load())
        yield "one layer many times", ast.BinOp(repeated, ast.Mult(), count)


def _of_self(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


def _loaded(target: ast.expr) -> ast.expr:
    other = copy.copy(target)
    assert isinstance(other, ast.Attribute)
    other.ctx = ast.Load()
    return other


def _bodies(node: ast.AST) -> Iterator[Change]:
    """Whole bodies: an argument comes back, nothing does, all of it runs without a graph."""
    if not isinstance(node, ast.FunctionDef):
        return
    if node.name != "__init__":
        for arg in [a.arg for a in node.args.args if a.arg != "self"][:_MOST_NAMES]:
            yield (
                f"{arg} comes straight back",
                _with_body(node, [ast.Return(ast.Name(arg, ast.Load()))]),
            )
    if any(isinstance(part, ast.Return) for part in node.body) and len(node.body) > 1:
        for index, part in enumerate(node.body[:-1]):
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                early = ast.Return(ast.Name(part.targets[0].id, ast.Load()))
                yield "early return", _with_body(node, [*node.body[: index + 1], early])
    guard = ast.parse("with torch.no_grad():\n    pass").body[0]
    assert isinstance(guard, ast.With)
    guard.body = node.body
    if node.name != "__init__":
        yield "without a graph", _with_body(node, [guard])


def _with_body(node: ast.FunctionDef, body: list[ast.stmt]) -> ast.FunctionDef:
    changed = copy.copy(node)
    changed.body = body
    return changed


def _at(tree: ast.AST, path: Path) -> ast.AST:
    node: Any = tree
    for field, index in path:
        node = getattr(node, field)
        node = node if index is None else node[index]
    assert isinstance(node, ast.AST)
    return node


def _above(tree: ast.Module, path: Path) -> list[ast.AST]:
    """The node and all that it stands in, from the outermost inwards."""
    return [_at(tree, path[: end + 1]) for end in range(len(path))]


def _mutant(
    exercise: str, tree: ast.Module, path: Path, title: str, other: ast.AST | None
) -> Mutant | None:
    changed = copy.copy(tree)
    changed.body = list(tree.body)
    top = path[0][1]
    assert top is not None
    changed.body[top] = copy.deepcopy(tree.body[top])
    parent: Any = _at(changed, path[:-1]) if path[:-1] else changed
    field, index = path[-1]
    if index is None:
        setattr(parent, field, copy.deepcopy(other))
    else:
        getattr(parent, field)[index] = copy.deepcopy(other)
    ast.fix_missing_locations(changed.body[top])
    try:
        compile(ast.Module([changed.body[top]], []), "<mutant>", "exec")
        written = ast.unparse(changed.body[top])
    except (SyntaxError, ValueError, AttributeError, TypeError):
        return None
    if written == ast.unparse(tree.body[top]):
        return None
    parts = _parts(tree)
    whole = "\n\n".join(parts)
    parts[top + len(parts) - len(tree.body)] = written
    source = "\n\n".join(parts)
    place = next(
        end for end in range(len(path), 0, -1) if isinstance(_at(tree, path[:end]), ast.stmt)
    )
    line = _at(tree, path[:place])
    before, after = ast.unparse(line), ast.unparse(_at(changed, path[:place]))
    number = getattr(line, "lineno", 0)
    return Mutant(exercise, title, number, *_apart(before, after), source, _changed(whole, source))


def _parts(tree: ast.Module) -> list[str]:
    """The source of each top-level statement; PyTorch is always there."""
    parts = [_written(part) for part in tree.body]
    return parts if "import torch" in parts else ["import torch", *parts]


def _whole(tree: ast.Module) -> str:
    return "\n\n".join(_parts(tree))


def _changed(before: str, after: str) -> frozenset[int]:
    """The lines that are new; where some are only gone, those beside."""
    return frozenset[int]().union(*_blocks(before, after))


def _blocks(before: str, after: str) -> list[frozenset[int]]:
    """The same, each change for itself."""
    one, other = before.splitlines(), after.splitlines()
    changes = difflib.SequenceMatcher(None, one, other, False).get_opcodes()
    return [
        frozenset(range(start + 1, end + 1) or (start, start + 1))
        for tag, _, _, start, end in changes
        if tag != "equal"
    ]


@functools.cache
def _written(part: ast.stmt) -> str:
    return ast.unparse(part)


def _apart(before: str, after: str) -> tuple[str, str]:
    """The first line in which two statements differ, of both."""
    for one, other in zip(before.splitlines(), after.splitlines(), strict=False):
        if one != other:
            return one.strip(), other.strip()
    return before.splitlines()[-1].strip(), after.splitlines()[-1].strip()
