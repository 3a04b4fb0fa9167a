"""Has dispatch modes, optimizers and the meta device do without torch._dynamo.

PyTorch hides some functions from its compiler, and loads the compiler for that when one of them is
first called: 0.6 s and much memory, for nothing, as nobody here has any use for it. What this
misses loads it all the same.
"""

import functools
import gc
import inspect
import types
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch._C._dynamo import eval_frame


def spare_the_compiler(among: Iterable[object] | None = None) -> None:
    """Have what PyTorch hides from its compiler run without it; `among` all there is, or these."""
    from torch import _compile

    makers = [getattr(_compile, "_disable_dynamo", None)]
    codes = [c for maker in makers if maker for c in maker.__code__.co_consts]
    hiding = {code for code in codes if isinstance(code, types.CodeType)}
    for found in list(gc.get_objects() if among is None else among):
        if type(found) is types.FunctionType and found.__code__ in hiding:
            plain = inspect.getclosurevars(found).nonlocals.get("fn")
            if isinstance(plain, types.FunctionType):
                vars(plain)["__dynamo_disable"] = plain
    for kind in vars(torch.optim).values():
        step = vars(kind).get("step") if isinstance(kind, type) else None
        if isinstance(step, types.FunctionType) and "_dynamo" in step.__code__.co_names:
            kind.step = _with_or_without_gradients(inspect.unwrap(step))  # all that is left


def hide(method: Callable[..., Any]) -> None:
    """Hide a dispatch mode's method from the compiler, which somebody may use in a kernel.

    Nobody does in a zygote: there `spare_the_compiler` has the method itself called.
    """
    function = inspect.unwrap(method)

    def run(*args: Any, **kwargs: Any) -> Any:
        before = eval_frame.set_eval_frame(None)
        try:
            return function(*args, **kwargs)
        finally:
            eval_frame.set_eval_frame(before)

    skips = eval_frame._FrameExecStrategy(
        eval_frame._FrameAction.SKIP, eval_frame._FrameAction.DEFAULT
    )
    eval_frame.set_code_exec_strategy(run.__code__, skips)
    vars(function)["__dynamo_disable"] = run  # PyTorch's own wrapper asks here for what to call


def _with_or_without_gradients(step: Callable[..., Any]) -> Callable[..., Any]:
    """An optimizer's step under the gradient mode that the optimizer was made for."""

    @functools.wraps(step)
    def run(self: torch.optim.Optimizer, *args: Any, **kwargs: Any) -> Any:
        with torch.set_grad_enabled(self.defaults["differentiable"]):
            return step(self, *args, **kwargs)

    return run
