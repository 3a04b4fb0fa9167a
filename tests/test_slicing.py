"""Slices mean what a run of the whole notebook means."""

from __future__ import annotations

import pytest

from tests.submitted import execute, kernel, submission, text

# Each softmax takes a number. `boom()` raises: a slice that runs it has run too much.
SAME_AS_THE_KERNEL = {
    "alone": ["def softmax(x):\n    return x + 1"],
    "the last definition wins": ["def softmax(x): return 1", "def softmax(x): return 2"],
    "a later cell's stub wins": ["def softmax(x): return 1", "def softmax(x): return None"],
    "for a type of its own": [
        "from functools import singledispatch as sd",
        "@sd\ndef softmax(x): raise NotImplementedError",
        "@softmax.register\ndef _(x: int): return x + 5",
    ],
    "a lambda": ["softmax = lambda x: x * 3"],
    "annotated": ["from typing import Any\nsoftmax: Any = lambda x: x * 3"],
    "tuple targets": ["softmax, other = (lambda x: x + 1), 5"],
    "starred targets": ["softmax, *rest = [lambda x: x + len(rest), 1, 2]"],
    "walrus": ["print(softmax := lambda x: x + 4)"],
    "partial": [
        "from functools import partial\ndef times(k, x): return k * x\nsoftmax = partial(times, 3)"
    ],
    "wrapped after its definition": [
        "def twice(f): return lambda x: f(f(x))",
        "def softmax(x): return x + 1",
        "softmax = twice(softmax)",
        "softmax = twice(softmax)",
    ],
    "renamed": ["def softmax_v2(x): return 7", "def softmax(x): return 1", "softmax = softmax_v2"],
    "helper redefined later": [
        "def helper(x): return 1\ndef softmax(x): return helper(x)",
        "def helper(x): return 2",
    ],
    "decorator as it was": [
        "def deco(f): return lambda x: f(x) + 1",
        "@deco\ndef softmax(x): return x",
        "def deco(f): raise SystemExit",
    ],
    "default as it was": ["K = 1", "def softmax(x, k=K): return x + k", "K = 100"],
    "base as it was": [
        "class Base:\n    k = 1",
        "class A(Base): pass",
        "class Base:\n    k = 2\ndef softmax(x): return x + A.k",
    ],
    "class body as it was": ["K = 1", "class A:\n    k = K", "K = 2\ndef softmax(x): return A.k"],
    "right-hand side as it was": ["K = 1", "L = K + 1", "K = 50", "def softmax(x): return x + L"],
    "a helper called while a constant is computed": [
        "STEP = 1\ndef spin(): return STEP",
        "K = spin()",
        "STEP = 9",
        "def softmax(x): return x * K",
    ],
    "method replaced": [
        "class A:\n    def go(self, x): return 1",
        "def go(self, x): return 2\nA.go = go",
        "def softmax(x): return A().go(x)",
    ],
    "method replaced by setattr": [
        "class A:\n    def go(self, x): return 1",
        "setattr(A, 'go', lambda self, x: 3)",
        "def softmax(x): return A().go(x)",
    ],
    "add_to_class": [
        "def add_to(cls):\n    return lambda f: setattr(cls, f.__name__, f)",
        "class A: pass",
        "@add_to(A)\ndef go(self, x): return x + 5",
        "def softmax(x): return A().go(x)",
    ],
    "singledispatch": [
        "from functools import singledispatch",
        "@singledispatch\ndef softmax(x): return 'other'",
        "@softmax.register\ndef _(x: int): return 'int'",
    ],
    "function attribute": ["def softmax(x): return x + softmax.k", "softmax.k = 4"],
    "dictionary filled afterwards": [
        "config = {}",
        "config['k'] = 3",
        "config['k'] += 1",
        "def softmax(x): return x + config['k']",
    ],
    "dictionary updated and popped": [
        "table = dict(a=1)\ntable.update(b=2)\ntable.pop('a')",
        "def softmax(x): return sorted(table)",
    ],
    "entry deleted": ["t = {'a': 1, 'b': 2}\ndel t['a']\ndef softmax(x): return list(t)"],
    "list filled in a loop": [
        "squares = []",
        "for i in range(4):\n    squares.append(i * i)",
        "def softmax(x): return squares[x]",
    ],
    "table filled by subscript in a loop": [
        "table = [0] * 4\nfor i in range(4):\n    table[i] = i + 1",
        "def softmax(x): return table[x]",
    ],
    "container made new after it was filled": [
        "t = []\nt.append(1)",
        "t = []\nt.append(2)",
        "def softmax(x): return t",
    ],
    "augmented": ["K = 1", "K += 2", "K *= 5", "def softmax(x): return K"],
    "accumulated in a loop": ["K = 0\nfor i in range(5):\n    K += i", "def softmax(x): return K"],
    "bound in if": ["if 1 > 2:\n    K = 1\nelse:\n    K = 2", "def softmax(x): return K"],
    "perhaps bound in if": ["K = 1", "if 1 > 2:\n    K = 5", "def softmax(x): return K"],
    "bound in try": [
        "try:\n    import no_such_module as m\nexcept ImportError:\n    import math as m",
        "def softmax(x): return m.floor(x + 0.5)",
    ],
    "bound in with": [
        "from contextlib import nullcontext\nwith nullcontext(5) as five:\n    K = five + 1",
        "def softmax(x): return K",
    ],
    "bound in while": ["K = 0\nwhile K < 5:\n    K += 2", "def softmax(x): return K"],
    "bound in match": [
        "match 3:\n    case int(n):\n        K = n\n    case _:\n        K = 0",
        "def softmax(x): return K",
    ],
    "defined in if": ["if True:\n    def softmax(x): return 8"],
    "defined in main": [
        "if __name__ == '__main__':\n    K = 3\n    def softmax(x):\n        return K"
    ],
    "main on one line": ["if __name__ == '__main__': K = 3; L = 4", "def softmax(x): return K + L"],
    "main with a string over lines": [
        "if __name__ == '__main__':\n    K = '''a\nb'''\n\ndef softmax(x): return K"
    ],
    "several on one line": [
        "K = 1; L = K + 1; M = '→'; N = M + 'ü'; P = N",
        "def softmax(x): return P",
    ],
    "deleted and bound again": ["K = 1\ndel K\nK = 2", "def softmax(x): return K"],
    "imports": [
        "import math as m, json\nfrom math import (\n    sqrt,\n    pi as p,\n)",
        "def softmax(x): return m.floor(sqrt(x) * p)",
    ],
    "submodule imported after the package": [
        "import xml",
        "import xml.dom.minidom",
        "def softmax(x): return xml.dom.minidom.__name__",
    ],
    "submodule imported before the package": [
        "import xml.sax.handler",
        "import xml",
        "def softmax(x): return xml.sax.handler.__name__",
    ],
    "star import": ["from math import *", "def softmax(x): return floor(x + 0.5)"],
    "star import over a builtin": [
        "from operator import *",
        "def softmax(x): return abs(-x), pow(x, 2)",
    ],
    "star import, then a definition of the same name": [
        "from math import *",
        "def floor(x): return 'mine'",
        "def softmax(x): return floor(x)",
    ],
    "globals set by a function": [
        "def setup():\n    global K\n    K = 6",
        "setup()",
        "def softmax(x): return K + x",
    ],
    "global counter": ["n = 0\ndef softmax(x):\n    global n\n    n += 1\n    return n + x"],
    "nonlocal": [
        "def make():\n    k = 1\n    def f(x):\n        nonlocal k\n        k += 1\n"
        "        return k\n    return f",
        "softmax = make()",
    ],
    "locals hide globals": ["k = boom = None\ndef softmax(x, k=2):\n    y = k\n    return x + y"],
    "comprehension variables hide globals": ["def softmax(x): return [i for i in range(x) if i]"],
    "class scope is no function's": [
        "k = 5\nclass A:\n    k = 1\n    def go(self): return k\ndef softmax(x): return A().go()"
    ],
    "class comprehension": [
        "n = 2\nclass A:\n    m = 3\n    t = [n for _ in range(m)]\ndef softmax(x): return A.t"
    ],
    "recursion": ["def softmax(x): return 1 if x == 0 else x * softmax(x - 1)"],
    "mutual recursion": [
        "def even(x): return True if x == 0 else odd(x - 1)",
        "def odd(x): return False if x == 0 else even(x - 1)\nsoftmax = even",
    ],
    "future annotations": [
        "from __future__ import annotations",
        "class A:\n    def go(self) -> A: return 5",
        "def softmax(x: Nowhere) -> A: return A().go()",
    ],
    "dataclass": [
        "from dataclasses import dataclass\nSIZE = 4\n@dataclass\nclass C:\n    size: int = SIZE",
        "config = C()\nconfig.size = 7",
        "def softmax(x): return config.size",
    ],
    "keyword-only default": ["K = 3", "def softmax(x, *, k=K): return k"],
    "lambda default": ["K = 3\nsoftmax = lambda x, k=K: k + x\nK = 4"],
    "generator": ["K = 3\ndef softmax(x): return sum(i * K for i in range(x))"],
    "except name": [
        "def softmax(x):\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n"
        "        return str(e)"
    ],
    "f-string": ["K = 3\ndef softmax(x): return f'{K:>{x}}'"],
    "metaclass and keywords": [
        "class M(type):\n    def __new__(m, n, b, d, k): return type(n, b, dict(k=k))\n"
        "    def __init__(c, n, b, d, k): pass\nK = 4",
        "class A(metaclass=M, k=K): pass\ndef softmax(x): return A.k",
    ],
    "semicolons and non-ASCII": ["α = 2; β = α * 3\ndef softmax(x): return β"],
    "string that looks like a magic": ['K = """\n%time\n!ls\n"""\ndef softmax(x): return K'],
    "in-place methods": [
        "class T(list):\n    def add_(self, n): self.append(n)\nmask = T()\nmask.add_(4)",
        "def softmax(x): return list(mask)",
    ],
    "methods given to the class of self": [
        "def patch(f):\n    setattr(f.__annotations__['self'], f.__name__, f)\n    return f",
        "class softmax: pass",
        "@patch\ndef __init__(self: softmax, x): self.x = x",
        "class Other: pass\n@patch\ndef __init__(self: Other): self.x = 0",
        "@patch\ndef __eq__(self: softmax, other): return self.x == other.x",
    ],
}


# What reading alone does not follow: there the whole notebook is run.
LEFT_TO_A_WHOLE_RUN = {
    "singledispatch",
    "dictionary updated and popped",
    "list filled in a loop",
    "container made new after it was filled",
    "globals set by a function",
}


@pytest.mark.parametrize("name", sorted(LEFT_TO_A_WHOLE_RUN))
def test_what_reading_does_not_follow_does_not_stand_alone(name: str) -> None:
    cut = submission(*SAME_AS_THE_KERNEL[name]).slice("softmax")
    assert cut is not None and not cut.stands_alone


@pytest.mark.parametrize("name", sorted(SAME_AS_THE_KERNEL.keys() - LEFT_TO_A_WHOLE_RUN))
def test_a_slice_gives_what_the_kernel_gives(name: str) -> None:
    cells = SAME_AS_THE_KERNEL[name]
    cut = submission(*cells, "print('scratch')\nboom = 1 / 1").slice("softmax")
    assert cut is not None and not cut.broken and not cut.absent
    assert execute(cut)["softmax"](3) == kernel(*cells)["softmax"](3)
    assert "scratch" not in text(cut)


@pytest.mark.parametrize(
    ("beside", "alone"),
    [
        ("model.eval()", True),
        ("class T:\n    def __init__(self): setattr(self, 'k', 1)", True),
        ("print(model.__class__.__name__)", True),
        ("eval('softmax')", False),
        ("import builtins as b\nb.eval('softmax')", False),
        ("setattr(model, 'k', 1)", False),
        ("model.__class__.forward = softmax", False),
    ],
)
def test_a_notebook_is_run_whole_where_it_may_change_what_it_does_not_name(
    beside: str, alone: bool
) -> None:
    cut = submission("def softmax(x): return x", beside).slice("softmax")
    assert cut is not None and cut.stands_alone is alone


@pytest.mark.parametrize("first_cell", range(4))
def test_cells_may_be_moved(first_cell: int) -> None:
    cells = [
        "from collections import OrderedDict",
        "class Base(OrderedDict):\n    def go(self): return SIZE",
        "SIZE = 3",
        "class Answer(Base): pass\nsoftmax = Answer()",
    ]
    moved = cells[first_cell:] + cells[:first_cell]
    for order in (moved, moved[::-1]):
        assert execute(submission(*order).slice("softmax"))["softmax"].go() == 3


def test_labels_and_lines_are_the_learners() -> None:
    cut = submission(
        "import math",
        "%matplotlib inline\n\n# a comment\ndef helper(x):\n    return 1 / 0\n",
        "x = 1\n\n@staticmethod\ndef softmax(x):\n    return helper(x)",
    ).slice("softmax")
    assert cut is not None
    assert [(unit.label, unit.line) for unit in cut.units] == [
        ("work.ipynb, cell 2", 4),
        ("work.ipynb, cell 3", 3),
    ]
    with pytest.raises(ZeroDivisionError) as caught:
        execute(cut)["softmax"](1)
    frames = [(entry.path, entry.lineno + 1) for entry in caught.traceback][1:]
    assert frames == [("<work.ipynb, cell 3>", 5), ("<work.ipynb, cell 2>", 5)]


def test_missing() -> None:
    assert submission("x = 1").slice("softmax") is None
    assert submission().slice("softmax") is None
    assert submission("from kit.earlier import softmax").slice("softmax") is None
    assert submission("class A:\n    def softmax(self): pass").slice("softmax") is None
