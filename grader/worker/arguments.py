"""Makes of a value tree what learner code receives, and tells what it changed; calls nothing."""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from .values import MAX_TENSOR_BYTES, Callback, Config, simplify

_equal, _stack, _zeros = torch.equal, torch.stack, torch.zeros  # before a learner replaces them
_PLAIN = (bool, int, float, str)
_IN_FRONT = 16  # numbers, so many that what follows is aligned as any tensor's are


class ConfigObject:
    """A configuration as learner code sees it: attributes, as in transformers' BertConfig."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.__dict__.update(fields)

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return dict(self.__dict__)

    def get(self, name: str, default: Any = None) -> Any:
        """One field, or `default`."""
        return self.__dict__.get(name, default)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copy and pickle ask for these
            raise AttributeError(name)
        near = _likely(name, self.__dict__)
        hint = f"; did you mean {near!r}?" if near else f"; it has {', '.join(self.__dict__)}"
        raise AttributeError(f"the config has no field {name!r}{hint}")

    def __repr__(self) -> str:
        return f"Config({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


def _likely(name: str, fields: Iterable[str]) -> str:
    """The field that has all the words of `name`, or is spelt much like it; else nothing."""
    asked = set(name.split("_"))
    whole = [field for field in fields if asked <= set(field.split("_"))]
    near = whole or difflib.get_close_matches(name, fields, 1, 0.75)
    return near[0] if near else ""


class Arguments:
    """One call's arguments: what the learner is given, and what it was made from.

    `strided`: tensors lie in memory as after transposing and slicing; the numbers are the same.
    """

    def __init__(
        self,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        invoke: Callable[[Callback, tuple[Any, ...], dict[str, Any]], Any],
        gradients: bool = False,
        device: str | None = None,
        strided: bool = False,
    ) -> None:
        self._strided = strided
        self._invoke = invoke
        self._gradients = gradients
        self._device = device
        self._sent: list[Tensor] = []
        self._given: list[Tensor] = []
        self._configs: list[tuple[Mapping[str, Any], ConfigObject]] = []
        self.leaves: list[Tensor] = []  # one for each float tensor, where gradients are wanted
        self.args = tuple([self._make(part) for part in args])
        self.kwargs = {name: self._make(part) for name, part in kwargs.items()}
        self._lists = [pair for pair in zip(args, self.args, strict=True) if type(pair[0]) is list]

    def _make(self, tree: Any) -> Any:
        kind = type(tree)
        if issubclass(kind, Tensor):
            return self._tensor(tree)
        if kind is tuple:
            return tuple([self._make(part) for part in tree])
        if kind is list:
            return [self._make(part) for part in tree]
        if kind is dict:
            return {key: self._make(part) for key, part in tree.items()}
        if kind is Config:
            config = ConfigObject({name: self._make(part) for name, part in tree.fields.items()})
            self._configs.append((tree.fields, config))
            return config
        if kind is Callback:
            return self._callable(tree)
        return tree

    def _tensor(self, sent: Tensor) -> Tensor:
        """A copy, so that a learner who changes it in place changes nobody else's."""
        copy = _part_of_larger(sent.detach())
        if self._device is not None:
            return copy.to(self._device)
        if self._strided:
            copy = _turned(copy)
        self._sent.append(sent)
        if self._gradients and copy.is_floating_point():
            # Not the leaf itself: PyTorch refuses to change a leaf that requires grad in place, and
            # such changes are to be seen and named, not to end in an obscure error.
            self.leaves.append(copy.requires_grad_())
            copy = copy.clone()
        self._given.append(copy)
        return copy

    def _callable(self, callback: Callback) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            # What a function of the examiner's is given may be larger than an answer.
            most = MAX_TENSOR_BYTES
            plain = {name: simplify(part, most) for name, part in kwargs.items()}
            answer = self._invoke(callback, tuple([simplify(part, most) for part in args]), plain)
            return Arguments((answer,), {}, self._invoke).args[0]

        return call

    @property
    def tensors(self) -> Sequence[Tensor]:
        """All tensors as the learner is given them."""
        return self._given

    @property
    def changed_fields(self) -> list[str]:
        """Fields of configs that hold something else than what was sent."""
        return [
            name
            for fields, config in self._configs
            for name, sent in fields.items()
            if type(sent) in _PLAIN and bool(config.__dict__.get(name) != sent)
        ]

    def mutated(self) -> list[int]:
        """Positions of what was changed, among all tensors of the arguments and then its lists."""
        kept = [_same(*pair) for pair in zip(self._sent, self._given, strict=True)]
        kept += [same_entries(*pair) for pair in self._lists]
        return [index for index, is_kept in enumerate(kept) if not is_kept]


def _part_of_larger(sent: Tensor) -> Tensor:
    """A contiguous copy that does not begin where its memory does, as with a part of a batch."""
    memory = _zeros(_IN_FRONT + sent.numel(), dtype=sent.dtype).untyped_storage()
    copy = _zeros(0, dtype=sent.dtype)
    copy.set_(memory, _IN_FRONT, sent.shape)  # type: ignore[call-overload]  # strides may be left out
    return copy.copy_(sent)


def _turned(tensor: Tensor) -> Tensor:
    """The same numbers, those of the first axis nearest to each other, with gaps in between."""
    order = tuple(reversed(range(tensor.dim())))
    turned = tensor.permute(order)
    return _stack((turned, turned), -1)[..., 1].permute(order)


def same_entries(sent: Any, given: Any) -> bool:
    """Whether a list still has the numbers, texts and lists that it had; tensors aside."""
    if type(sent) is not type(given):
        return False
    if type(sent) is list:
        return len(sent) == len(given) and all(map(same_entries, sent, given))
    return type(sent) not in _PLAIN or bool(sent == given)


def _same(sent: Tensor, given: Tensor) -> bool:
    given = given.detach()
    if sent.shape != given.shape or sent.dtype != given.dtype:
        return False
    if _equal(sent, given):
        return True
    return bool(((sent == given) | (sent != sent) & (given != given)).all())  # NaN stayed NaN
