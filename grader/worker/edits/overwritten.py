"""Changes after which what a name stood for, or what was given, is still there; judges none."""

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from .replacements import Change, Context, method, read_name, together
from .sites import Site

_NEW = "_changed"  # a name that nobody has
_MOST_USES = 4


def kept(places: Sequence[Site]) -> Iterator[Change]:
    """A new name for what is set to something made of itself, in some of what reads it next."""
    for site in places:
        statement = site.node
        if not isinstance(statement, ast.Assign) or site.index is None:
            continue
        target = statement.targets[0]
        if len(statement.targets) > 1 or not isinstance(target, ast.Name):
            continue
        if not _reads(statement.value, target.id):
            continue
        behind = _next_reader(site, target.id)
        if behind is None:
            continue
        renamed = copy.copy(statement)
        renamed.targets = [ast.Name(_NEW, ast.Store())]
        for statement_behind in _some_renamed(behind.node, target.id):
            yield (site, renamed), (behind, statement_behind)


def _next_reader(site: Site, name: str) -> Site | None:
    """The next statement of the same body that reads the name."""
    row = getattr(site.parent, site.field)
    assert site.index is not None
    for index in range(site.index + 1, len(row)):
        if _reads(row[index], name):
            line = row[index].lineno
            return replace(site, index=index, node=row[index], line=line)
    return None


def _reads(part: ast.AST, name: str) -> list[ast.Name]:
    names = (node for node in ast.walk(part) if isinstance(node, ast.Name))
    return [node for node in names if node.id == name and isinstance(node.ctx, ast.Load)]


def _some_renamed(statement: ast.stmt, name: str) -> Iterator[ast.stmt]:
    """Copies with the new name at one place, and at all places but one."""
    count = len(_reads(statement, name))
    if not 1 < count <= _MOST_USES:
        return
    choices = [{at} for at in range(count)]
    choices += [set(range(count)) - {at} for at in range(count) if count > 2]
    for chosen in choices:
        changed = copy.deepcopy(statement)
        for at, node in enumerate(_reads(changed, name)):
            if at in chosen:
                node.id = _NEW
        yield changed


def copied(site: Site, context: Context) -> Iterator[Any]:
    """A copy of what is given, before something of it is set; a new value in place of a change."""
    statement = site.node
    if isinstance(statement, ast.Assign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                name = target.value.id
                if name in site.given:
                    own = method(read_name(name), "clone" if context.has_tensors else "copy")
                    yield together(ast.Assign([ast.Name(name, ast.Store())], own), statement)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            name, attribute = function.value.id, function.attr.rstrip("_")
            if context.has_tensors and name in site.names and attribute:
                made = ast.Attribute(function.value, attribute, ast.Load())
                call = ast.Call(made, statement.value.args, statement.value.keywords)
                yield ast.Assign([ast.Name(name, ast.Store())], call)
