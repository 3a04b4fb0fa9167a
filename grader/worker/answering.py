"""Answers requests about one learner's code, in a worker or in the kernel; knows no transport."""

import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any, cast

import torch

from . import recorder
from .arguments import Arguments
from .callback_quota import Callbacks, Invoke, invoke_here
from .calls import call
from .cells import Cells
from .edits.edited_exercise import EditedExercise
from .namespace import Bound, Namespace
from .objects import KeptObjects, ShownObjects
from .problems import problem
from .trail import MAX_BYTES, Trail, size_of

_RUNS = ("call", "construct")  # what runs a learner's code
_SECONDS_AT_ONCE = 1.0  # that something goes on before the first of it is told
_clock = time.monotonic


class Service:
    """Holds one learner's code and the objects made from it.

    Each operation is a method below, and its payload that method's arguments; every answer is
    `{"ok": result}` or `{"error": problem}`, both plain value trees.
    """

    def __init__(self, invoke: Invoke = invoke_here, in_process: bool = True) -> None:
        self._names: Namespace | Bound = Bound({})
        self._cells: Cells | None = None
        self._objects = KeptObjects()
        self._callbacks = Callbacks(invoke)
        self._arguments = partial(Arguments, invoke=self._callbacks)
        self._shown = ShownObjects(self._objects, self._arguments)
        self._stage = ""
        self._in_process = in_process
        self._edited: EditedExercise | None = None
        self._operations: dict[str, Callable[..., Any]] = {
            "load": self._load,
            "run": self._run,
            "take": self._take,
            "call": self._call,
            "several": self._several,
            "record": self._record,
            "alter": self._alter,
            "choose": self._choose,
            "construct": self._construct,
            "read": self._shown.read,
            "write": self._shown.write,
            "describe": self._shown.describe,
            "effective": self._shown.effective,
            "effective_values": self._shown.effective_values,
        }

    def handle(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Answer one request; whatever learner code raises becomes an error, never an exception.

        In process, KeyboardInterrupt passes, and so does what a callback raised: neither is the
        learner's.
        """
        answer = self._answer(op, payload)
        self._callbacks.raise_own()
        return answer

    def _answer(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        """The same, while an error of a callback waits to be raised."""
        self._stage = op
        self._callbacks.begin()
        try:
            edited = self._edited if op in _RUNS else None
            with edited.bounded(payload) if edited is not None else nullcontext():
                return {"ok": self._operations[op](**payload)}
        except KeyboardInterrupt as error:
            if self._in_process:
                raise
            return {"error": self._problem(error)}
        except BaseException as error:  # SystemExit is a learner's too
            return {"error": self._problem(error)}

    def bind(self, names: dict[str, Any], harness: str = "") -> None:
        """Use objects of this very process instead of loading code; `harness` runs beside them."""
        bound = Bound(names)
        if harness:
            exec(compile(harness, "<harness>", "exec"), bound.module.__dict__)
        self._replace(bound)

    def _load(self, exercise: str, units: list[Any], harness: str = "") -> dict[str, Any]:
        """Execute the units in a fresh module; what was loaded before is forgotten.

        A unit that fails is left, and told of, where the exercise is defined without it.
        """
        names = Namespace()
        self._replace(names)
        failed: list[Exception] = []
        for unit in units:
            try:
                names.execute(str(unit["code"]), str(unit["label"]), int(unit["line"]))
            except Exception as error:
                failed.append(error)
        if failed and exercise not in names.module.__dict__:
            raise failed[0]
        if harness:
            names.execute_harness(harness)
        return {"left_out": [self._problem(error) for error in failed[:1]]}

    def _run(
        self,
        cells: list[Any],
        files: dict[str, str],
        home: str,
        exercises: list[str],
        earlier: dict[str, Any],
        replaced: list[str],
        seconds: dict[str, float],
        without: list[str],
    ) -> dict[str, Any]:
        """Run a whole notebook in a fresh module, and tell what of it is ready-made."""
        names = Namespace()
        self._replace(names)
        self._cells = Cells(names, exercises, earlier, replaced, seconds)
        try:
            with recorder.without(without):
                self._cells.run(cells, files, home)
        finally:
            torch.set_grad_enabled(True)
            torch.set_default_dtype(torch.float32)
        return {"ready_made": recorder.taken()}

    def _take(self, exercise: str, harness: str = "") -> dict[str, Any]:
        """See to it that the notebook that was run has defined an exercise; what ran for others."""
        heard = recorder.hand_on()
        if exercise not in self._names.module.__dict__:
            raise self._why_not(exercise)
        if harness:
            cast(Namespace, self._names).execute_harness(harness)
        return {"heard": heard}

    def _why_not(self, exercise: str) -> BaseException:
        """What kept a definition from being: the last failure where the name stands."""
        failed = self._cells.failed if self._cells else ()
        for code, error in reversed(failed):
            if exercise in code:
                return error
        return NameError(f"name {exercise!r} is not defined")

    def _call(
        self,
        target: dict[str, Any],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Call a name of the loaded code, or a kept object."""
        prepare = partial(self._arguments, args, kwargs or {})
        return call(self._target(target), prepare, options or {}, partial(setattr, self, "_stage"))

    def _record(
        self,
        target: dict[str, Any],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        skip: list[str] | None = None,
    ) -> dict[str, Any]:
        """Which lines of the learner's one call runs, and what stood there where one raised."""
        function = self._target(target)
        if "handle" in target and isinstance(function, torch.nn.Module):
            function.train(False)
        given = self._arguments(args, kwargs or {})
        torch.default_generator.manual_seed(0)
        trail = Trail(self._names.label_of, skip or ())
        failed = None
        try:
            with trail, torch.enable_grad():
                function(*given.args, **given.kwargs)
        except Exception as error:
            failed = self._problem(error)
        ran = {"statements": trail.statements, "is_cut": trail.is_cut}
        return {**ran, "raised": trail.raised, "problem": failed}

    def _alter(
        self, exercise: str, skip: list[str], asks: list[Any], most: int, **hints: Any
    ) -> dict[str, Any]:
        """Put small changes in the place of the learner's exercise, one after the other.

        Each is asked the same, a list of operations and payloads. There are `most` at once, or
        fewer where their answers grow large or take long. The last one stays in its place. None
        come where none are left, or `most` is 0: then the exercise is what it was.
        `hints`: which changes are worth the while, as `EditedExercise` has them.
        """
        if self._edited is None and most:
            names = self._names.module.__dict__
            self._edited = EditedExercise(names, exercise, skip, self._names.label_of, **hints)
            self._objects.mark()
        edited = self._edited
        found: list[dict[str, Any]] = []
        size = 0
        if edited is None:
            return {"edits": found}
        edited.forget()
        end = _clock() + _SECONDS_AT_ONCE
        while len(found) < most and size < MAX_BYTES and (not found or _clock() < end):
            row = edited.next()
            if row is None:
                break
            answers = self._asked(asks)
            found.append({"edit": row, "answers": answers})
            size += size_of(answers)
        if not found:
            edited.end()
            self._edited = None
            self._objects.back()
        return {"edits": found}

    def _asked(self, asks: list[Any]) -> list[dict[str, Any]]:
        """What each is answered, up to an object that cannot be made."""
        answers: list[dict[str, Any]] = []
        self._objects.back()  # those of other changes are not needed any more
        if asks:
            torch.default_generator.manual_seed(0)  # whatever was asked before
        for ask in asks:
            answers.append(self._answer_to(ask))
            if ask["op"] == "construct" and "error" in answers[-1]:
                break
        return answers

    def _several(self, asks: list[Any]) -> dict[str, Any]:
        """What each is answered; where that grows large or takes long, of the first ones alone."""
        answers: list[dict[str, Any]] = []
        size, end = 0, _clock() + _SECONDS_AT_ONCE
        for ask in asks:
            if answers and (size >= MAX_BYTES or _clock() >= end):
                break
            answers.append(self._answer_to(ask))
            size += size_of(answers[-1])
        return {"answers": answers}

    def _answer_to(self, ask: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request that came with others."""
        answer = self._answer(str(ask["op"]), dict(ask["payload"]))
        self._callbacks.stop_if_failed()
        return answer

    def _choose(self, index: int) -> dict[str, Any]:
        """Put one of the changes that `alter` told of last in its place again."""
        if self._edited is None:
            raise LookupError("nothing is changed")
        self._edited.put(index)
        return {}

    def _construct(
        self,
        name: str,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        seed: int | None = None,
    ) -> dict[str, Any]:
        """Make an object and say what it holds."""
        maker = self._target({"name": name})
        given = self._arguments(args, kwargs or {})
        if seed is not None:
            torch.default_generator.manual_seed(seed)
        with torch.enable_grad():
            made = maker(*given.args, **given.kwargs)
        described = self._shown.describe(self._objects.keep(made))
        return {**described, "changed_fields": given.changed_fields}

    def _target(self, target: dict[str, Any]) -> Any:
        """What is to be called: {"handle": …} or {"name": …}."""
        if "handle" in target:
            return self._objects.at(target["handle"])
        try:
            return self._names.module.__dict__[target["name"]]
        except KeyError:
            raise NameError(f"name {target['name']!r} is not defined") from None

    def _replace(self, names: Namespace | Bound) -> None:
        self._names.discard()
        self._names = names
        self._edited = None
        self._objects.clear()

    def _problem(self, error: BaseException) -> dict[str, Any]:
        return problem(error, self._stage, self._names.label_of)
