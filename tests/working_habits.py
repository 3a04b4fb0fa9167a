"""What right work looks like that its author wrote in odd ways: tables for tests; holds no test."""

from __future__ import annotations

from collections.abc import Mapping

IMPORTS = "import torch, math\nfrom torch import nn"
BODY = "e = (x - x.amax(dim, keepdim=True)).exp()\n    return e / e.sum(dim, keepdim=True)"
RIGHT = f"def softmax(x, dim=-1):\n    {BODY}"
ONE = BODY

# Cells of one notebook that a kernel runs to a right softmax.
NOTEBOOKS: Mapping[str, tuple[str, ...]] = {
    "its own registry": (
        "REGISTRY = {}\ndef register(name):\n    def keep(f):\n        REGISTRY[name] = f\n"
        "        return f\n    return keep",
        f"@register('steps')\ndef steps(x, dim):\n    {ONE}",
        "def softmax(x, dim=-1):\n    return REGISTRY['steps'](x, dim)",
    ),
    "a hook appended by a decorator": (
        "HOOKS = []",
        f"@HOOKS.append\ndef steps(x, dim):\n    {ONE}",
        "def softmax(x, dim=-1):\n    return HOOKS[0](x, dim)",
    ),
    "methods of its own objects": (
        "class Shifts:\n    def __init__(self):\n        self.known = {}\n"
        "    def add(self, name, f):\n        self.known[name] = f",
        "shifts = Shifts()",
        "shifts.add('max', lambda x, dim: x - x.amax(dim, keepdim=True))",
        "def softmax(x, dim=-1):\n    e = shifts.known['max'](x, dim).exp()\n"
        "    return e / e.sum(dim, keepdim=True)",
    ),
    "options set by a call": (
        "from types import SimpleNamespace\n"
        "class Options(SimpleNamespace):\n    def set(self, k, v): setattr(self, k, v)\n"
        "options = Options()\noptions.set('one', 1.0)",
        "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return options.one * e / e.sum(dim, keepdim=True)",
    ),
    "a list comprehension for its effects": (
        "d = {}\n[d.setdefault(k, v) for k, v in [('one', 1.0)]]",
        "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return d['one'] * e / e.sum(dim, keepdim=True)",
    ),
    "an update whose answer is thrown away": (
        "d = {'one': 3.0}\n_ = d.update(one=1.0)",
        "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return d['one'] * e / e.sum(dim, keepdim=True)",
    ),
    "a function that fills its argument": (
        "opts = {}\ndef fill(o):\n    o['one'] = 1.0\nfill(opts)",
        "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return opts['one'] * e / e.sum(dim, keepdim=True)",
    ),
    "what is awaited at the top of a cell": (
        "import asyncio\nasync def ones(n):\n    for _ in range(n):\n"
        "        await asyncio.sleep(0.001)\n        yield 1.0",
        "drawn = [each async for each in ones(2)]",
        "(one,) = await asyncio.gather(ones(1).asend(None))",
        "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return drawn[1] * one * e / e.sum(dim, keepdim=True)",
    ),
    "a function that fills a global": (
        "TABLE = {}\ndef prepare():\n    TABLE['one'] = 1.0\nprepare()",
        "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return TABLE['one'] * e / e.sum(dim, keepdim=True)",
    ),
    "globals()": (
        "globals()['ONE'] = 1.0",
        "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return ONE * e / e.sum(dim, keepdim=True)",
    ),
    "defined by exec": (f"exec({RIGHT!r})",),
    "defined through globals()": (f"def f(x, dim=-1):\n    {BODY}", "globals()['softmax'] = f"),
    "the environment chooses, beside demos of what is ready-made": (
        "import os\nos.environ.setdefault('STEPS', 'plain')",
        "seen = []\nfor width in (3, 4):\n    scores = torch.randn(2, width)\n"
        "    seen.append(torch.softmax(scores, -1))",
        f"class Steps:\n    def plain(self, x, dim):\n        {BODY}".replace(
            "\n    return", "\n        return"
        ),
        "def softmax(x, dim=-1):\n    return getattr(Steps(), os.environ['STEPS'])(x, dim)",
    ),
    "an attribute of torch": (
        "torch.my_state = torch.tensor(1.0)",
        "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return torch.my_state * e / e.sum(dim, keepdim=True)",
    ),
    "a training loop at the end": (
        RIGHT,
        "net = nn.Linear(3, 3)\nopt = torch.optim.SGD(net.parameters(), lr=.1)",
        "for step in range(10**9):\n    loss = net(torch.ones(3)).sum()\n    loss.backward()\n"
        "    nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n    opt.step()",
    ),
    "a training loop between helper and answer": (
        "scale = {}",
        "while True:\n    torch.ones(9) @ torch.ones(9)",
        "scale.update(one=1.0)\nprint(scale)",
        "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return scale['one'] * e / e.sum(dim, keepdim=True)",
    ),
    "a helper that fails where it is not needed": (
        "LIMIT = {'one': 1.0}\nLIMIT['two'] = missing_name",
        "def softmax(x, dim=-1):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return LIMIT['one'] * e / e.sum(dim, keepdim=True)",
    ),
    "a later cell takes a helper's name": (
        "one = 1.0\ndef steps(x, dim):\n    return (x - x.amax(dim, keepdim=True)).exp()",
        "def softmax(x, dim=-1):\n    e = one * steps(x, dim)\n"
        "    return e / e.sum(dim, keepdim=True)",
        "check(softmax)",
        "steps, one = range(3), 'one'\nfor step in steps:\n    print(step)",
    ),
    "a later cell mends a helper after the check": (
        "def steps(x, dim):\n    return x.exp()",
        "def softmax(x, dim=-1):\n    e = steps(x, dim)\n    return e / e.sum(dim, keepdim=True)",
        "check(softmax)",
        "def steps(x, dim):\n    return (x - x.amax(dim, keepdim=True)).exp()",
    ),
    "display left over": (f"def softmax(x, dim=-1):\n    display(x)\n    {BODY}",),
    "a heat map printed": (
        "from kit.figures import heatmap",
        f"def softmax(x, dim=-1):\n    print(heatmap(x, list('ab'), list('cd'), 'x'))\n    {BODY}",
    ),
    "a histogram": (
        "import matplotlib.pyplot as plt\nfig, axes = plt.subplots(1, 2)",
        "def softmax(x, dim=-1):\n    n, bins, _ = plt.hist(x.flatten().tolist())\n"
        f"    axes[0].set_title('x')\n    {BODY}",
    ),
    "a progress bar": (
        "from tqdm.auto import tqdm",
        "def softmax(x, dim=-1):\n    total = sum(i for i in tqdm(range(3), desc='rows'))\n    "
        + BODY,
    ),
    "rich and icecream": (
        "from rich import print\nfrom icecream import ic",
        f"def softmax(x, dim=-1):\n    print(ic(x))\n    {BODY}",
    ),
    "a widget": (
        "from ipywidgets import interact\n@interact(t=(0, 9))\ndef show(t=1):\n    return t",
        RIGHT,
    ),
    "a marimo file": (
        "import marimo\napp = marimo.App()\nwith app.setup:\n    import torch\n"
        "@app.cell\ndef _():\n    return 1 / 0\n@app.function\n" + RIGHT,
    ),
    "a marimo file, whose cell keeps a function": (
        "import marimo\napp = marimo.App()\n@app.cell(hide_code=True)\ndef _():\n"
        "    import torch\n    ONE = 1.0\n    return ONE, torch\n@app.cell\ndef _(ONE, torch):\n"
        "    def softmax(x, dim=-1):\n        return ONE * torch.exp(x - x.amax(dim, True)) / "
        "torch.exp(x - x.amax(dim, True)).sum(dim, True)\n    return (softmax,)",
    ),
    "shown by %%timeit": (RIGHT, "%%timeit\ndef softmax(x, dim=-1):\n    return x.exp()"),
    "types noted": (
        "from beartype import beartype\nfrom jaxtyping import Float",
        "@beartype\ndef softmax(x: Float[torch.Tensor, '...'], dim=-1):\n    " + BODY,
    ),
    "a timed cell": ("%%time\n" + RIGHT,),
    "written and imported": (
        "%%writefile mine.py\nimport torch\n" + RIGHT,
        "from mine import softmax",
    ),
    "written and run": ("%%writefile mine.py\nimport torch\n" + RIGHT, "%run mine.py"),
    "written, imported and reloaded": (
        "%%writefile mine.py\nimport torch\n" + RIGHT,
        "import importlib\nimport mine\nimportlib.reload(mine)\nsoftmax = mine.softmax",
    ),
    "earlier, as a module": (
        "from kit import earlier",
        "def masked_softmax(scores, mask):\n"
        "    scores = scores.masked_fill(mask == 0, float('-inf'))\n"
        "    return earlier.softmax(scores, dim=-1)",
    ),
    "earlier, inside of the function": (
        "pass",
        "def masked_softmax(scores, mask):\n    from kit.earlier import softmax\n"
        "    return softmax(scores.masked_fill(mask == 0, float('-inf')), dim=-1)",
    ),
    "earlier, renamed": (
        "import kit.earlier as e",
        "def masked_softmax(scores, mask):\n"
        "    scores = scores.masked_fill(mask == 0, float('-inf'))\n"
        "    return e.softmax(scores, dim=-1)",
    ),
}
# Files of a folder, beside a notebook.
