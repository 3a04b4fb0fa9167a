"""Says of which files of PyTorch's nothing is to run in an exercise; runs nothing, knows none."""

from functools import cache

# Layers of PyTorch's beside its layers, and its tests, on which no ordinary code stands.
OUT_OF_REACH = ("torch.ao.nn.", "torch.testing._internal.", "torch.test.", "torch.onnx.")
# Packages of ready-made functions that an exercise may forbid whole, and another leave free.
_WHOLE = ("torch.distributions.", "torch.masked.")


def out_of_reach(module: str) -> str | None:
    """The package of a module of PyTorch's for which no exercise has a use; None for others."""
    found = (each for each in OUT_OF_REACH if f"{module}.".startswith(each))
    return next((each.removesuffix(".") for each in found), None)


@cache
def is_heard_whole(module: str) -> bool:
    """Whether all that runs of it is noted, whatever it is called; of others names tell."""
    return f"{module}.".startswith(_WHOLE) or out_of_reach(module) is not None
