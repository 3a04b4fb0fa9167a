"""One sentence through a model some of whose heads are silenced or patched; it draws nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from kit.own_bert import head_maps, hidden_states, hooked

Head = tuple[int, int]  # layer and head, both from 0
Patch = Callable[[Tensor, Tensor, int, int], Tensor]  # found, instead, head, num_heads
Score = Callable[[int, Tensor], Tensor]  # layers passed, vectors [..., hidden] → [...]
SILENCED, PATCHED = "silenced", "patched"


@dataclass(frozen=True)
class Touched:
    """A model, and what is asked of its vectors.

    model: a BertEncoder with loaded weights
    patch: puts what one head found in another run into what all heads found
    score: says of vectors after so many layers what a probe says
    """

    model: nn.Module
    num_heads: int
    patch: Patch
    score: Score
    maps: list[nn.Module] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.maps:
            self.maps.extend(head_maps(self.model))

    def found(self, ids: Tensor) -> list[Tensor]:
        """What the heads of each layer find, side by side: [batch, seq, hidden]."""
        kept: list[Tensor] = []
        hooks = (
            each.register_forward_pre_hook(lambda _m, given: kept.append(given[0]))
            for each in self.maps
        )
        with hooked(hooks):
            hidden_states(self.model, ids)
        return kept

    def scores(
        self, ids: Tensor, changes: Mapping[Head, str] | None = None, other: Tensor | None = None
    ) -> Tensor:
        """The probe's score of each token after each layer: [layers + 1, seq].

        ids:     [1, seq]
        changes: heads and whether each is silenced or patched
        other:   [1, seq], the sentence that a patch is taken from
        raises:  what `patch` raises, where a patch does not fit
        """
        changes = changes or {}
        is_needed = other is not None and PATCHED in changes.values()
        elsewhere = self.found(other) if is_needed and other is not None else []
        hooks = (
            self.maps[layer].register_forward_pre_hook(self._change(layer, changes, elsewhere))
            for layer in {layer for layer, _ in changes}
        )
        with hooked(hooks):
            states = hidden_states(self.model, ids)
        return torch.stack([self.score(layer, state[0]) for layer, state in enumerate(states)])

    def _change(
        self, layer: int, changes: Mapping[Head, str], elsewhere: list[Tensor]
    ) -> Callable[[nn.Module, tuple[Tensor, ...]], tuple[Tensor, ...]]:
        def change(_: nn.Module, given: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
            found = given[0]
            for (at, head), how in sorted(changes.items()):
                if at == layer:
                    instead = 0 * found if how == SILENCED else elsewhere[layer]
                    found = self.patch(found, instead, head, self.num_heads)
            return found, *given[1:]

        return change
