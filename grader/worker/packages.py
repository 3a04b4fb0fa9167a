"""Says of which files of PyTorch's nothing is to run in an exercise; runs nothing, knows none."""

# Layers of PyTorch's beside its layers, and its tests, on which no ordinary code stands.
_OUT_OF_REACH = ("torch.ao.nn.", "torch.testing._internal.", "torch.test.", "torch.onnx.")
# Packages of ready-made functions that an exercise may forbid whole, and another leave free.
_WHOLE = ("torch.distributions.", "torch.masked.")


def is_out_of_reach(module: str) -> bool:
    """Whether a module of PyTorch's is one that no exercise has a use for."""
    return f"{module}.".startswith(_OUT_OF_REACH)


def is_heard_whole(module: str) -> bool:
    """Whether all that runs of it is noted, whatever it is called; of others names tell."""
    return f"{module}.".startswith(_WHOLE) or is_out_of_reach(module)
