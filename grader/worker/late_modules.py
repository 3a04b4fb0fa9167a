"""Listens to modules of PyTorch's that are loaded later, by their code; asks no collector for it.

What their code makes is heard from its first line on, whoever makes, hides or freezes it.
"""

import contextlib
import sys
from collections.abc import Iterator
from functools import partial
from inspect import CO_OPTIMIZED
from types import CodeType, FrameType, ModuleType
from typing import Any

from .overheard import overheard
from .readymade import IN_PYTHON, TORCH, Note, by_itself, heard

_exec = exec  # as it was before any learner could change it


def watch(note: Note) -> None:
    """Have `note` hear of each function of theirs that is ready-made when it runs."""
    sys.meta_path.insert(0, later := _Later(note))
    sys.addaudithook(later.refuse)


class _Later:
    """Watches modules of PyTorch's as they are loaded, and refuses others; finds none itself.

    What is there by now holds all layers and losses. Nothing is loaded a second time.
    """

    def __init__(self, note: Note) -> None:
        self._note = note
        self._loaded = set(sys.modules)
        self._running: list[CodeType] = []  # of those that are being loaded

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if not name.startswith("torch."):
            return None
        if name in self._loaded:
            raise ImportError(f"{name} is loaded once", name=name)
        others = (each for each in sys.meta_path if each is not self)
        found = (each.find_spec(name, path, target) for each in others)
        spec = next((each for each in found if each is not None), None)
        loader: Any = spec.loader if spec is not None else None
        if hasattr(loader, "exec_module"):
            execute = loader.exec_module

            def watched(module: ModuleType) -> None:
                code = loader.get_code(name) if hasattr(loader, "get_code") else None
                if not isinstance(code, CodeType):
                    execute(module)  # no Python
                    return
                code = self._overheard(code)
                self._running.append(code)
                try:
                    _exec(code, module.__dict__)
                    self._loaded.add(name)
                finally:
                    self._running[:] = [each for each in self._running if each is not code]

            with contextlib.suppress(AttributeError):
                loader.exec_module = watched
        return spec

    def refuse(self, event: str, args: tuple[Any, ...]) -> None:
        """An audit hook: a file of PyTorch's is run as the module that it is, which is listened to.

        By hand or by another name, nobody could.
        """
        code = args[0] if event == "exec" else None
        if not isinstance(code, CodeType) or not code.co_filename.startswith(TORCH):
            return
        if not self._is_running(code):
            raise ImportError("a module of PyTorch's is imported by its name here")

    def _is_running(self, code: CodeType) -> bool:
        return any(each is code for each in self._running)

    def _overheard(self, code: CodeType) -> CodeType:
        """The same code, but whatever function it makes that is to be heard tells when it runs."""
        if not any(heard(each) is not None for each in _within(code)):
            return code  # as in nearly all modules
        inner = (
            self._told(self._overheard(each)) if isinstance(each, CodeType) else each
            for each in code.co_consts
        )
        return code.replace(co_consts=tuple(inner))

    def _told(self, code: CodeType) -> CodeType:
        """The code of a function in whose place another one is heard first; others as they are."""
        name = heard(code)
        if name is None or not _is_called(code):
            return code
        return overheard(code, partial(self._hear, name))

    def _hear(self, name: str, frame: FrameType) -> None:
        """Note this name, unless its module or its package gets ready by itself."""
        is_ready = name.partition("::")[0] in self._loaded
        if (is_ready and IN_PYTHON.search(name.lower())) or not by_itself(frame, self._is_running):
            self._note(name)


def _within(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _within(each)


def _is_called(code: CodeType) -> bool:
    """Whether this is a function's, and no class's, nor what stands in line or says of types."""
    is_in_line = code.co_name.startswith("<") and code.co_name != "<lambda>"
    return bool(code.co_flags & CO_OPTIMIZED) and not is_in_line and code.co_name != "__annotate__"
