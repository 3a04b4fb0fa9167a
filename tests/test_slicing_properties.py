"""Any notebook's slices agree with its kernel, names with Python's symbol tables, within bounds."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import symtable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from grader.submission.scopes import names_of
from tests.counted import peak_memory, steps, within
from tests.submitted import execute, kernel, submission

NAMES = ["softmax", "a", "b", "c"]
_name = st.sampled_from(NAMES)
_number = st.integers(0, 4)
_templates = st.sampled_from(
    [
        "def {n}(x, d={k}): return x + d",
        "def {n}(x): return {m}(x) + {k}",
        "def {n}(x, f={m}): return f(x) + {k}",
        "{n} = {m}",
        "{n} = twice({m})",
        "{n} = lambda x: {m}(x) * {k}",
        "{n}, {m} = {m}, {n}",
        "@twice\ndef {n}(x): return x + {k}",
        "class {n}:\n    k = {m}({k})\n    def __new__(cls, x): return x + cls.k",
        "if {k} % 2:\n    def {n}(x): return x - {k}",
        "if {k} % 2:\n    {n} = {m}\nelse:\n    {n} = twice({m})",
        "for i in range({k}):\n    {n} = twice({m})",
        "while False:\n    {n} = None",
        "try:\n    {n} = {m}\n    {{}}['']\nexcept KeyError:\n    {m} = {n}",
        "with context() as value:\n    {n} = lambda x: x + {k}",
        "T['k'] = {k}",
        "T = {{'k': {k}}}",
        "T.update(k={m}({k}))",
        "def {n}(x): return x + T['k']",
        "K = T['k'] + 1",
        "K += {k}",
        "def {n}(x, k=K): return x + k + K",
        "def {n}(x): return x + sum({m}(i) for i in range({k}))",
        "def {n}(x):\n    def {m}(y): return y + {k}\n    return {m}(x)",
        "def setup():\n    global K, {n}\n    K = {k}\n    {n} = lambda x: x + K",
        "setup()",
        "del {n}\n{n} = twice",
        "T['log'] = {m}({k})",
        "[{n} := {m}]",
    ]
)
_statements = st.builds(
    lambda template, n, m, k: template.format(n=n, m=m, k=k), _templates, _name, _name, _number
)
_PRELUDE = (
    "from contextlib import contextmanager\n"
    "@contextmanager\ndef context(): yield 1\n"
    "def twice(f): return lambda x: f(f(x)) if callable(f) else f\n"
    "def softmax(x): return x\ndef a(x): return x + 1\ndef b(x): return a(x)\ndef c(x): return K\n"
    "def setup(): pass\nT = {'k': 1}\nK = 1"
)


def _outcome(namespace: dict[str, object]) -> object:
    try:
        answer = namespace["softmax"](2)  # type: ignore[operator]
    except Exception as error:
        return type(error)
    return answer if isinstance(answer, int) else type(answer)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_statements, min_size=1, max_size=10))
def test_a_slice_that_stands_alone_gives_what_the_notebook_gives(cells: list[str]) -> None:
    try:
        expected = _outcome(kernel(_PRELUDE, *cells))
    except Exception:
        assume(False)
    cut = submission(_PRELUDE, *cells).slice("softmax")
    assert cut is not None
    assume(cut.stands_alone)
    assert _outcome(execute(cut)) == expected


CORPUS = ["argparse", "ast", "dataclasses", "enum", "functools", "inspect", "statistics", "typing"]


@pytest.mark.parametrize("module", CORPUS)
def test_names_agree_with_pythons_own_symbol_tables(module: str) -> None:
    spec = importlib.util.find_spec(module)
    assert spec and spec.origin
    source = Path(spec.origin).read_text(encoding="utf-8")
    for statement in ast.parse(source).body:
        code = ast.unparse(statement)
        table = symtable.symtable(code, module, "exec")
        found = names_of(statement)
        expected = _global_reads(table, is_module=True)
        read = found.now | found.late
        own = _class_locals(table)  # read before the class binds it: the global one
        assert expected <= read, code
        assert read - expected <= own | _quoted_names(statement), code
        bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
        if not isinstance(statement, ast.AnnAssign):
            assert found.binds == bound, code


def _global_reads(table: symtable.SymbolTable, is_module: bool = False) -> set[str]:
    here = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if (is_module or symbol.is_global()) and symbol.is_referenced()
    }
    declared = {s.get_name() for s in table.get_symbols() if s.is_declared_global()}
    return here.union(declared, *map(_global_reads, table.get_children()))


def _class_locals(table: symtable.SymbolTable) -> set[str]:
    own = {s.get_name() for s in table.get_symbols() if s.is_local()}
    inner = [_class_locals(child) for child in table.get_children()]
    return set().union(own if table.get_type() == "class" else set(), *inner)


def _quoted_names(statement: ast.stmt) -> set[str]:
    texts = [n.value for n in ast.walk(statement) if isinstance(n, ast.Constant)]
    return {word for text in texts if isinstance(text, str) for word in re.findall(r"\w+", text)}


# Bounds


def test_hopelessly_tangled_code_is_refused_long_before_all_of_it_is_followed() -> None:
    names = [f"f{i}" for i in range(1_500)]
    everything = " + ".join(f"{name}()" for name in names[:300])
    cells = [f"{name} = (lambda: {everything}, {everything})" for name in names[:150]]
    work = submission(*cells, f"softmax = lambda: {everything}")
    assert not work.broken  # all is parsed by now
    cut = within(200_000, work.slice, "softmax")  # it takes 48,000
    assert cut is not None and not cut.units
    assert "too many other definitions" in cut.broken[0].message


def test_a_chain_of_seven_thousand_definitions_takes_a_few_hundred_steps_each() -> None:
    cells = "\n".join(f"def f{i}(x): return f{i + 1}(x)" for i in range(5_000))
    backwards = "\n".join(f"k{i} = k{i + 1}" for i in range(2_000))
    work = submission(cells, backwards, "def softmax(x): return f0(k0)")
    assert not work.broken  # all is parsed by now
    cut = within(3_000_000, work.slice, "softmax")  # it takes 680,000
    assert cut is not None


def test_what_calls_set_up_takes_a_few_hundred_steps_a_call() -> None:
    """Each call binds what all definitions of its function bind; many of them bind nothing."""
    names = [f"k{i}" for i in range(5_000)]
    chunks = [names[i : i + 50] for i in range(0, 5_000, 50)]
    setups = [f"def s():\n global {','.join(c)}\n {'='.join(c)}=0" for c in chunks]
    calls = "s()\n" * 2_000
    for cells in ([setups[0], calls], [*setups, calls]):
        work = submission(*cells, "def softmax(x): return x + 1")
        assert not work.broken  # all is parsed by now
        cut = within(1_000_000, work.slice, "softmax")  # it takes 293,000; unbounded 20,000,000
        assert execute(cut)["softmax"](1) == 2


def test_a_set_of_globals_is_not_copied_for_each_name_of_its_statement() -> None:
    names = [f"k{i}" for i in range(50)]
    setup = f" def s():\n  global {','.join(names)}\n  {'='.join(names)}=0\n"
    cell = "if 1:\n" + setup + " " + "=".join(f"a{i}" for i in range(20_000)) + "=0"
    work = submission(cell, "def softmax(x): return x")
    assert not work.broken  # all is parsed by now
    assert peak_memory(work.slice, "softmax") < 15_000_000  # it takes 5,400,000; copied 51,000,000


def slice_ordinary_cells(times: int) -> None:
    """Cut all exercises out of a notebook of some thirty cells, or of so many times as many."""
    source = inspect.getsource(names_of.__globals__["_Scope"])
    filler = [source.replace("_Scope", f"Scratch{i}") for i in range(4 * times)]
    answers = [
        f"import torch\ndef exercise_{i}(x, dim):\n" + "    x = x + torch.ones(3)\n" * 15
        for i in range(9 * times)
    ]
    names = [f"exercise_{i}" for i in range(9 * times)]
    cells = [*filler, *["x = 1\nprint(x)"] * 16 * times, *answers]
    work = submission(*cells, exercises=frozenset(names))
    assert all(work.slice(name) for name in names)


def test_thirty_cells_are_sliced_in_half_a_million_steps() -> None:
    within(500_000, slice_ordinary_cells, 1)  # it takes 124,000


def test_twice_the_cells_take_twice_the_steps() -> None:
    slice_ordinary_cells(1)  # what only the first time takes
    within(2.2 * steps(slice_ordinary_cells, 1), slice_ordinary_cells, 2)
