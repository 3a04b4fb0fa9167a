"""Tells from what ran, or what a module is made of, what is ready-made in it; reads no code."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from ...worker.heard_packages import out_of_reach
from .names import Matcher, Shortcut, last_part

_LIBRARIES = ("torch.", "transformers.")  # how the full names of their classes begin

_MOST = 3  # names that are told

_SOFTMAX = ("softmax", "softmin", "softmax2d", "gumbel_softmax")
_LOG_SOFTMAX = ("log_softmax", "logsoftmax")
# Attention computes a softmax on its way, so it is a detour to one too.
_ATTENTION = ("scaled_dot_product_attention", *_SOFTMAX)
_HEADS = ("multiheadattention", "multi_head_attention_forward", *_ATTENTION)
_CROSS_ENTROPY = ("cross_entropy", "crossentropyloss", "cross_entropy_loss")
_LAYER_NORM = ("layer_norm", "layernorm", "native_layer_norm")
_NLL = ("nll_loss", "nllloss", *_CROSS_ENTROPY)

# What the operators of a family betray, by the last part of the forbidden name in small letters,
# the best first. An operator is of the first family whose word is in its name, as the names are in
# PyTorch 2.13: `aten::_softmax`, `aten::_masked_softmax`, `quantized::softmax` …
_BETRAYS: dict[str, tuple[str, ...]] = {
    # Over what is given alone, or is shown: masked ones.
    "sparse_log_softmax": ("sparse_log_softmax", *_LOG_SOFTMAX),
    "sparse_softmax": ("sparse_softmax", *_SOFTMAX),
    "nested_tensor_softmax": ("nested_softmax", *_SOFTMAX),
    "_masked_softmax": ("_masked_softmax", *_SOFTMAX),
    "log_softmax": _LOG_SOFTMAX,
    "safe_softmax": _ATTENTION,  # scaled_dot_product_attention alone calls it
    "softmax": _SOFTMAX,
    "multi_head_attention": _HEADS,
    "bias_rescale_qkv": _HEADS,
    "scaled_dot": _ATTENTION,
    "transformer_encoder_layer": ("transformerencoderlayer", *_HEADS, *_LAYER_NORM),
    "attention": _ATTENTION,  # _flash_attention_forward …
    "layer_norm": _LAYER_NORM,
    "_normalize": _LAYER_NORM,
    "rms_norm": ("rms_norm", "rmsnorm"),
    "group_norm": ("group_norm", "groupnorm"),
    "batch_norm": ("batch_norm",),
    "instance_norm": ("instance_norm",),
    "gelu": ("gelu",),
    # Fused operators, which apply the activation that they are told.
    "pointwise": ("gelu",),
    "addmm_activation": ("gelu",),
    "binary_cross_entropy": ("binary_cross_entropy_with_logits",),
    "margin_loss": ("soft_margin_loss",),
    "poisson_nll_loss": (),
    "gaussian_nll_loss": (),
    "nll_loss": _NLL,
    "ctc_loss": ("ctc_loss",),
    "kl_div": ("kl_div", "kldivloss"),
    "cross_entropy": (*_CROSS_ENTROPY, *_LOG_SOFTMAX),
    "pad_sequence": ("pad_sequence",),
    "MkldnnCPU": _LAYER_NORM,  # oneDNN's own layout: what alone takes it is TorchScript's norm
}


def by_operators(operators: Iterable[str], forbidden: Iterable[str]) -> tuple[Shortcut, ...]:
    """The forbidden names that ran, at most one for each operator (`aten::_softmax`).

    The first few of the list, in its order: code may run any of them, to tell something by that.
    Among the operators may be layers, by the full names of their classes. Building blocks (exp,
    amax, logsumexp, matmul, einsum …) betray nothing.
    """
    matcher = Matcher(tuple(forbidden))
    names = tuple(name for name in matcher.forbidden if name.startswith("torch."))
    found: dict[str, Shortcut] = {}
    for operator in operators:
        space, _, function = operator.rpartition("::")
        if space.startswith(_LIBRARIES):  # a copy in Python
            path = matcher.of_running(f"{space}.{function}")
            name = _betrayed(function, names) or _betrayed(space, names) or path
            name = name or out_of_reach(space)
        elif operator.startswith(_LIBRARIES):
            name = matcher.of_running(operator)
        else:
            name = _betrayed(operator, names)
        if name is not None:
            found.setdefault(name, Shortcut(name, operator, None))
    listed = [*(name for name in matcher.forbidden if name in found), *sorted(found)]
    return tuple(found[name] for name in dict.fromkeys(listed))[:_MOST]


def _betrayed(operator: str, forbidden: tuple[str, ...]) -> str | None:
    """What `aten::_softmax` or `_softmax_backward_data` betrays."""
    plain = operator.replace("_", "")
    words = (names for word, names in _BETRAYS.items() if word.replace("_", "") in plain)
    for goes_by in next(words, ()):
        for name in forbidden:
            last = last_part(name)
            if last is not None and fnmatchcase(goes_by, last.lower()):
                return name
    return None
