"""Whoever runs a chapter's cells once more, in any order, finds no other thing of the same name."""

import ast
from pathlib import Path
from symtable import SymbolTable, symtable

import nbformat
import pytest

from tests.test_notebooks import NOTEBOOKS, asked, code_cells


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_given_functions_and_predictions_keep_their_names(path: Path) -> None:
    """Another thing of that name breaks what calls the function, or asks a question too early."""
    notebook = nbformat.read(path, as_version=4)
    cells = [symtable(cell.source, cell.id, "exec") for cell in code_cells(notebook)]
    bound = [name for cell in cells for name in cell.get_identifiers() if is_bound(cell, name)]
    given = {each.get_name() for cell in cells for each in cell.get_children()} & set(bound)
    given |= {name for cell in code_cells(notebook) for name in asked(cell.source)}
    assert [name for name in given if bound.count(name) > 1] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_other_cells_read_is_bound_in_one_cell(path: Path) -> None:
    """Whoever runs an earlier cell again must not hand later ones another thing of that name."""
    notebook = nbformat.read(path, as_version=4)
    cells = [symtable(cell.source, cell.id, "exec") for cell in code_cells(notebook)]
    longer = {name for cell in code_cells(notebook) for name in lengthened(cell.source)}
    names = {name for cell in cells for name in cell.get_identifiers()} - longer
    for name in sorted(names):
        binding = [cell for cell in cells if assigns(cell, name)]
        readers = [cell for cell in cells if cell not in binding and reads(cell, name)]
        assert len(binding) < 2 or not readers, name


def is_bound(cell: SymbolTable, name: str) -> bool:
    """Whether the cell itself gives something this name."""
    symbol = cell.lookup(name)
    return symbol.is_assigned() or symbol.is_imported()


def assigns(cell: SymbolTable, name: str) -> bool:
    """Whether the cell itself makes something of this name, and does not only import it."""
    return name in cell.get_identifiers() and cell.lookup(name).is_assigned()


def reads(cell: SymbolTable, name: str) -> bool:
    """Whether the cell, or a function in it, looks up this name among those of the notebook."""
    if name in cell.get_identifiers():
        symbol = cell.lookup(name)
        if symbol.is_referenced() and (cell.get_type() == "module" or symbol.is_global()):
            return True
    return any(reads(inner, name) for inner in cell.get_children())


def lengthened(source: str) -> list[str]:
    """The names that a cell adds to with +=, and so shares with the cell that made them."""
    return [
        node.target.id
        for node in ast.parse(source).body
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    ]
