"""What stands in the reference where a known wrong turn is taken; it runs nothing."""

from collections.abc import Mapping
from functools import cache

from ..edited_tree import Edit, EditError
from ..variants import placed_at
from .catalogue import CatalogueError, Group, group


@cache
def changes(exercise: str) -> Mapping[str, tuple[Edit, ...]]:
    """The edits of each wrong turn that an exercise may take, and of each way to take it.

    An entry that only has other words for one that comes earlier keeps its edits.

    Raises:
        CatalogueError: An edit cannot be made in the solutions, or a name is not known.
    """
    own = group(exercise)
    found: dict[str, tuple[Edit, ...]] = {}
    for name in own.of if own is not None else ():
        owner, _, id = name.partition(".")
        source = group(owner)
        if source is None:
            continue
        entries = source.entries.values() if not id else [source.entries[id]]
        names = [name for entry in entries for name in (entry.id, *entry.ways)]
        names += source.also if not id else ()
        found |= {one: edits_of(source, one) for one in names if one in source.changes}
    return found


def edits_of(source: Group, name: str) -> tuple[Edit, ...]:
    """The edits of one entry of a group; raises CatalogueError where they cannot be made."""
    where = f"{source.file}.toml: {source.name}.{name}: instead"
    change = source.changes[name]
    if isinstance(change, str):
        owner, _, id = change.partition(".")
        other = group(owner)
        if other is None or id not in other.changes:
            raise CatalogueError(f"{where}: nothing is called {change!r}")
        return edits_of(other, id)
    for edit in change:
        try:
            placed_at(edit)
        except EditError as problem:
            raise CatalogueError(f"{where}: {problem}") from problem
    return change
