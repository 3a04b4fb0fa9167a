"""Modules of a learner's own, in the ways in which people keep them: a table; holds no test."""

from __future__ import annotations

from collections.abc import Mapping

from tests.submitted import notebook_json
from tests.working_habits import ONE, RIGHT

HELPERS = f"import torch\n\ndef steps(x, dim):\n    {ONE}\n"
NO_SOFTMAX = "def softmax(x, dim):\n    return x\n"
NO_STEPS = "def steps(x, dim):\n    return x\n"
USES = "def softmax(x, dim=-1):\n    return {}(x, dim)"
FOLDERS: Mapping[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "import": ({"helpers.py": HELPERS}, ("import helpers", USES.format("helpers.steps"))),
    "import as": ({"helpers.py": HELPERS}, ("import helpers as h", USES.format("h.steps"))),
    "from": ({"helpers.py": HELPERS}, ("from helpers import steps", USES.format("steps"))),
    "star": ({"helpers.py": HELPERS}, ("from helpers import *", USES.format("steps"))),
    "run": ({"helpers.py": HELPERS}, ("%run helpers.py", USES.format("steps"))),
    "run without suffix": ({"helpers.py": HELPERS}, ("%run helpers", USES.format("steps"))),
    "package": (
        {"lib/__init__.py": "", "lib/helpers.py": HELPERS},
        ("from lib.helpers import steps", USES.format("steps")),
    ),
    "another folder has one of that name": (
        {"a/helpers.py": HELPERS, "b/helpers.py": NO_STEPS},
        ("from a.helpers import steps", USES.format("steps")),
    ),
    "another folder has one of that name, and it is beside": (
        {
            "helpers.py": HELPERS,
            "z/helpers.py": NO_STEPS,
        },
        ("from helpers import steps", USES.format("steps")),
    ),
    "one of that name stands where modules are looked for": (
        {"a/helpers.py": HELPERS, "b/helpers.py": NO_STEPS},
        ('import sys\nsys.path.append("a")', "from helpers import steps", USES.format("steps")),
    ),
    "one of that name stands where the notebook goes": (
        {"a/helpers.py": HELPERS, "b/helpers.py": NO_STEPS},
        ("%cd a", "from helpers import steps", USES.format("steps")),
    ),
    "what is looked through first comes before what lies beside": (
        {"a/helpers.py": HELPERS, "helpers.py": NO_STEPS},
        (
            'import sys; sys.path.insert(0, "./a")',
            "from helpers import steps",
            USES.format("steps"),
        ),
    ),
    "own files called like a library's modules": (
        {
            "math.ipynb": notebook_json("def exp(x):\n    return x"),
            "utils/math.py": "def exp(x):\n    return x",
            "functional.py": "def normalize(x, **given):\n    return x",
        },
        (
            "from math import exp\nfrom torch.nn.functional import normalize",
            "def softmax(x, dim):\n"
            "    powers = exp(1) ** (x - x.amax(dim, keepdim=True))\n"
            "    return normalize(powers, p=1, dim=dim)",
        ),
    ),
    "what another file of Quarto's includes": (
        {
            "_helpers.qmd": f"```{{python}}\n{HELPERS}```\n",
            "04.qmd": "{{< include _helpers.qmd >}}\n\n```{python}\n"
            + USES.format("steps")
            + "\n```\n",
        },
        (),
    ),
    "an earlier try stays, and a better one comes from a module": (
        {"helpers.py": HELPERS.replace("steps", "softmax")},
        (NO_SOFTMAX, "from helpers import softmax", "check(softmax)"),
    ),
    "the better one is called otherwise there": (
        {"helpers.py": HELPERS},
        (NO_SOFTMAX, "from helpers import steps as softmax", "check(softmax)"),
    ),
    "all of a module comes after an earlier try": (
        {"helpers.py": HELPERS.replace("steps", "softmax")},
        (NO_SOFTMAX, "from helpers import *", "check(softmax)"),
    ),
    "a module's comes first, and a better one stays": (
        {"helpers.py": NO_SOFTMAX},
        ("from helpers import softmax", f"def softmax(x, dim):\n    {ONE}", "check(softmax)"),
    ),
    "a notebook as a module": (
        {"common.ipynb": notebook_json(HELPERS)},
        ("import import_ipynb\nfrom common import steps", USES.format("steps")),
    ),
    "old copies below": (
        {
            "backup/04.py": "def softmax(x, dim=-1):\n    return x",
            "old/04_old.py": RIGHT.replace("exp", "sin"),
        },
        (RIGHT,),
    ),
    "package's face": (
        {"lib/__init__.py": "from .inner import steps", "lib/inner.py": HELPERS},
        ("from lib import steps as _steps", USES.format("_steps")),
    ),
    "settings": (
        {"settings.json": '{"one": 1.0}'},
        (
            "import json\nONE = json.load(open('settings.json'))['one']",
            "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
            "    return ONE * e / e.sum(dim, keepdim=True)",
        ),
    ),
    "another notebook": (
        {"common.ipynb": notebook_json(HELPERS)},
        ("%run common.ipynb", USES.format("steps")),
    ),
    "all in a module": ({"mine.py": "import torch\n" + RIGHT}, ("from mine import *",)),
    "beside the whole course and its kit": (
        {"kit/page.py": "# what the course gives\nx = 1\n" * 20_000},
        (f"exec({RIGHT!r})",),
    ),
    "a module of a module": (
        {"helpers.py": "from deeper import steps\n", "deeper.py": HELPERS},
        ("import helpers", USES.format("helpers.steps")),
    ),
    "an old try beside the module that is used": (
        {
            "lib/__init__.py": "from .maths import softmax\n",
            "lib/maths.py": "import torch\n" + RIGHT,
            "lib/notes.py": "def softmax(x, dim=-1):\n    return x\n",
        },
        ("from lib import softmax",),
    ),
    "modules of a package that name each other": (
        {
            "lib/__init__.py": "",
            "lib/maths.py": HELPERS,
            "lib/own.py": "from . import maths\nfrom lib import maths as m\n"
            "def softmax(x, dim=-1):\n    return maths.steps(x, dim) if m is maths else x\n",
        },
        ("pass",),
    ),
}
