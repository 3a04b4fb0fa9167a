"""Lets a learner's code call the examiner's functions, so often and no more; knows no transport."""

from collections.abc import Callable
from typing import Any

from .values import Callback

MAX_CALLBACKS = 10_000  # while one request is answered
Invoke = Callable[[Callback, tuple[Any, ...], dict[str, Any]], Any]


class CallbackFailed(BaseException):
    """The examiner's own function raised; no Exception, so that learners rarely swallow it."""


def invoke_here(callback: Callback, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a callback that lives in this process."""
    if callback.function is None:
        raise LookupError(f"callback {callback.id} has no function in this process")
    return callback.function(*args, **kwargs)


class Callbacks:
    """Calls them, and keeps what one of them raised."""

    def __init__(self, invoke: Invoke) -> None:
        self._invoke = invoke
        self._left = 0
        self._error: BaseException | None = None

    def begin(self) -> None:
        """Another request: it may call as often as any."""
        self._left = MAX_CALLBACKS

    def __call__(self, callback: Callback, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What it gives back; raises CallbackFailed where it raised."""
        self._left -= 1
        if self._left < 0:
            raise RuntimeError(f"the function given was called more than {MAX_CALLBACKS:,} times")
        try:
            return self._invoke(callback, args, kwargs)
        except BaseException as error:
            self._error = error
            raise CallbackFailed from error

    def stop_if_failed(self) -> None:
        """Raises CallbackFailed where one has raised."""
        if self._error is not None:
            raise CallbackFailed from self._error

    def raise_own(self) -> None:
        """Raises what one has raised, and forgets it."""
        error, self._error = self._error, None
        if error is not None:
            raise error
