"""The learner's own encoder with published weights, and the doors into it; it measures nothing.

`own_bert()` puts their BertEncoder and their load_bert_weights together. Where one of the two is
not written, does not fit the other or cannot be looked into, the reference lends both and says so.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from threading import RLock
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from kit import checkpoint, earlier

PARTS = ("Embeddings", "PostNormEncoderLayer")  # what a BertEncoder calls one after the other
OUTPUT = "encoder.layer.{}.attention.output.dense.weight"
PAIR = ("BertEncoder", "load_bert_weights")
# Who looks into a model. JupyterLab has widgets answer in another thread than cells, and the hooks
# of one would hear what the other asks.
ALONE = RLock()


class ClosedModel(ValueError):
    """A model whose heads cannot be reached from outside; the message says why."""


def own_bert() -> nn.Module:
    """A BertEncoder with the checkpoint's weights, evaluating: the learner's, or a lent one.

    raises: SolveFirst where neither is there
    """
    try:
        return _loaded(earlier.BertEncoder, earlier.load_bert_weights)
    except earlier.SolveFirst:
        raise
    except Exception as error:
        why = f"cannot be used here ({error})"
        try:
            lent = [earlier.lend(name, why) for name in PAIR]
        except earlier.SolveFirst:
            raise error from None  # there is nothing to lend: what is wrong with theirs
        return _loaded(*lent)


def _loaded(encoder: Callable[[Any], nn.Module], load: Callable[..., None]) -> nn.Module:
    """The two at work; fails where the heads of the model cannot be reached."""
    model = encoder(checkpoint.load_config()).eval()
    load(model, checkpoint.load_state_dict())
    head_maps(model)
    return model


@contextmanager
def hooked(hooks: Iterable[RemovableHandle]) -> Iterator[None]:
    """Alone with a model, from the first of these hooks on it until all are off again."""
    with ALONE, ExitStack() as stack:
        for hook in hooks:
            stack.callback(hook.remove)
        yield


def hidden_states(model: nn.Module, *inputs: Tensor) -> list[Tensor]:
    """What the embeddings and each layer return, in order of their calls: [batch, seq, hidden]."""
    states: list[Tensor] = []
    watched = [part for part in model.modules() if type(part).__name__ in PARTS]
    hooks = (
        part.register_forward_hook(lambda _m, _in, out: states.append(out)) for part in watched
    )
    with hooked(hooks), torch.no_grad():
        model(*inputs)
    return states


def head_maps(model: nn.Module) -> list[nn.Module]:
    """The linear map behind the heads of each layer, known by the weights that were loaded.

    What such a map is given is what all heads of its layer found, side by side. Attributes may
    have any names.
    raises: ClosedModel where a layer has no such module, or calls it in another way
    """
    weights = checkpoint.load_state_dict()
    count = checkpoint.load_config().num_hidden_layers
    maps = [_holder(model, weights[OUTPUT.format(layer)]) for layer in range(count)]
    ids, shapes = torch.tensor([[1, 2]]), []
    hooks = (
        each.register_forward_pre_hook(lambda _m, given: shapes.append([*given[0].shape]))
        for each in maps
    )
    with hooked(hooks):
        states = hidden_states(model, ids)
    if len(states) != count + 1 or shapes != [[*states[0].shape]] * count:
        raise ClosedModel("the map behind the heads is not called once a layer")
    return maps


def _holder(model: nn.Module, weight: Tensor) -> nn.Module:
    """The one module that holds these numbers as its `weight`."""
    for module in model.modules():
        own = getattr(module, "weight", None)
        if isinstance(own, Tensor) and own.shape == weight.shape and torch.equal(own, weight):
            return module
    raise ClosedModel("no module holds the weights of the map behind the heads")
