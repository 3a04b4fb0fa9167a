"""Of a notebook nothing is executed but what a slice needs."""

from __future__ import annotations

import pytest

from tests.submitted import execute, submission, text

NEVER_RUN = [
    "raise SystemExit",
    "import sys\nsys.exit(0)",
    "for epoch in range(10_000):\n    loss = boom()\n    loss.backward()",
    "model = boom()\nmodel.train()\noptimizer = model.step()",
    "name = input('your name? ')",
    "print(undefined_name)",
    "assert softmax(1) == 0",
    "from grader import check\ncheck(softmax)",
    "softmax(boom())",
    "%matplotlib inline\n!pip list",
    "result = softmax(boom())\nplt.plot(result)",
    "while True: pass",
    "with open('/nowhere') as file:\n    data = file.read()",
    "if __name__ == '__main__':\n    boom()",
    "class Unused(boom()): pass",
    "@boom()\ndef unused(): pass",
    "def unused(x=boom()): pass",
    "try:\n    boom()\nfinally:\n    boom()",
    "for softmax in [boom()]: pass",
    "plt.rcParams['figure.figsize'] = boom()",
    "await boom()",
    "helper.cache_clear()",
    "exec('softmax = None')",
    "%run other.ipynb",
]


@pytest.mark.parametrize("scratch", NEVER_RUN)
@pytest.mark.parametrize("first", [True, False])
def test_scratch_cells_never_run(scratch: str, first: bool) -> None:
    answer = "import math\ndef helper(x): return math.floor(x)\ndef softmax(x): return helper(x)"
    cells = [scratch, answer] if first else [answer, scratch]
    cut = submission(*cells).slice("softmax")
    assert cut is not None
    assert "boom" not in text(cut)
    assert execute(cut)["softmax"](2.5) == 2
    assert len(cut.units) == 3
