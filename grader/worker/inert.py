"""Stands in for packages that only show or note something: pictures, bars, types; shows nothing.

A learner's notebook draws and displays between its exercises. Behind the wall nobody looks, and
loading a plotting library takes longer than all checks of a chapter.
"""

from __future__ import annotations

import builtins
import dis
import importlib.machinery
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from types import ModuleType
from typing import Any

# Packages that show, or note types: never loaded, whether they are installed or not.
_SHOWING = {
    *("matplotlib", "mpl_toolkits", "pylab", "seaborn", "plotly", "altair"),
    *("bokeh", "mpld3", "bertviz", "graphviz", "torchviz", "torchinfo"),
    *("torchsummary", "IPython", "ipywidgets", "ipykernel", "google", "rich"),
    *("icecream", "loguru", "colorama", "termcolor", "tabulate", "prettytable"),
    *("marimo", "streamlit", "gradio", "dash", "beartype", "typeguard", "jaxtyping"),
    *("wandb", "tensorboard", "tensorboardX", "livelossplot", "fastprogress", "grader"),
}
# Used as they are where they are installed, and stood in for where they are not.
_PERHAPS = frozenset(["tqdm", "kit"])
# Functions that show what they are given and hand it on.
_HANDS_ON = frozenset(["tqdm", "trange", "track", "ic", "progress_bar", "master_bar"])
_UNPACK = dis.opmap["UNPACK_SEQUENCE"]


class Inert:
    """Any object of such a package: every use of it gives another one, and nothing happens."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Inert(name)

    def __call__(self, *args: Any, **_: Any) -> Any:
        """What code goes on with that called it: what it handed over, or nothing of effect."""
        if self.__name__ == "trange":
            return range(*args)
        if args and self.__name__ in _HANDS_ON:
            return args[0] if len(args) == 1 or self.__name__ != "ic" else args
        if len(args) == 1 and callable(args[0]) and not isinstance(args[0], Inert):
            return args[0]  # used as a decorator
        return Inert(self.__name__)

    def __iter__(self) -> Iterator[Any]:
        """As many as `figure, axes = subplots()` asks for; a loop over it has nothing to do."""
        caller = sys._getframe(1)
        at = caller.f_lasti
        code = caller.f_code.co_code
        wanted = code[at + 1] if 0 <= at < len(code) and code[at] == _UNPACK else 0
        return iter([Inert(self.__name__) for _ in range(wanted)])

    def __enter__(self) -> Inert:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __mro_entries__(self, _: tuple[Any, ...]) -> tuple[type, ...]:
        return ()

    def __setitem__(self, _: Any, __: Any) -> None:
        return None

    def _itself(self, *_: Any) -> Inert:
        return self

    __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _itself
    __truediv__ = __rtruediv__ = __or__ = __ror__ = _itself


class _InertModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Inert(name)


class _Finder(MetaPathFinder, Loader):
    """Finds the packages that show, before the usual finders do."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        root = fullname.partition(".")[0]
        if root in _PERHAPS:
            if importlib.machinery.PathFinder.find_spec(fullname, path) is not None:
                return None
        elif root not in _SHOWING:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _InertModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        return None


def install() -> None:
    """Stand in from now on, in this process and its forks."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    builtins.display = lambda *_, **__: None  # type: ignore[attr-defined]
    builtins.get_ipython = lambda: Inert("get_ipython")  # type: ignore[attr-defined]
    builtins.input = lambda *_: ""
