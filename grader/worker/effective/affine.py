"""Finds which results of a recorded call are affine in an earlier one; runs nothing."""

from typing import Any

from torch.utils._pytree import tree_leaves

from . import Merging
from .call_trace import Ref, Step, Trace
from .operations import CHOICES, CONTRACTIONS, FACTORS, JOINS, LINEAR, VIEWS, WIDENING
from .token_maps import is_of_ids

_Info = tuple[int, tuple[Any, ...], bool]  # affine in what, by which slots, a map already


class Affine:
    """Which results of a call are affine in an earlier one."""

    def __init__(self, trace: Trace, stable: set[Any], merging: Merging) -> None:
        self.trace, self.stable, self.merging = trace, stable, merging
        self.ends: dict[int, _Info] = {}
        fixed: set[int] = set()
        while True:  # an end that others go on from is where these begin
            found = self._pass(fixed)
            if found <= fixed:
                return
            fixed |= found

    def slots(self, index: int) -> list[int]:
        """The tensors that every call makes alike, of which a constant is made."""
        value = self.trace.values[index]
        if not value.learns or value.is_fed:
            return []
        if value.step is None or value.key in self.stable:
            return [index]
        given = self.trace.steps[value.step].given
        return list(dict.fromkeys(slot for i in given for slot in self.slots(i)))

    def _pass(self, fixed: set[int]) -> set[int]:
        """Where what is affine in one tensor meets what is not."""
        values = self.trace.values
        info: dict[int, _Info] = {}
        found: set[int] = set()
        unscaled: dict[int, int] = {}  # by what only constants multiply: these go into no map
        self.ends = {}

        def keep(step: Step, made: _Info) -> None:
            for result in step.results:
                (self.ends if result in fixed else info)[result] = made

        for step in self.trace.steps:
            fed = [i for i in dict.fromkeys(step.given) if values[i].is_fed]
            if not fed:
                continue
            own = tuple(values[s].key for i in step.given for s in self.slots(i))
            known = [info.get(i, (i, (), False)) for i in fed]
            ready = [i for i in fed if i in info and info[i][1]]
            base, is_map = known[0][0], any(maps for *_, maps in known)
            slots = tuple(dict.fromkeys((*(k for each in known for k in each[1]), *own)))
            contracts = step.name in CONTRACTIONS and bool(own)
            if contracts and is_map and not self._is_narrow(step, fed[0], base):
                found.update(ready)  # one layer behind another, and no map of a lower rank
                continue
            if self._looks_up(step, known, bool(own)):
                keep(step, (base, slots, True))
                continue
            if not self._is_linear(step, fed, known):
                found.update(ready)
                continue
            if ready and step.name in FACTORS and not own and self.merging != "scales":
                found.update(ready)  # as a root that queries are divided by
                continue
            if ready and step.name in FACTORS and not own:
                unscaled.update(dict.fromkeys(step.results, unscaled.get(fed[0], fed[0])))
            elif step.name in VIEWS and fed[0] in unscaled:
                unscaled.update(dict.fromkeys(step.results, unscaled[fed[0]]))
            if ready and step.name in WIDENING and len(fed) == 1 and not own:
                found.update(ready)  # ones for the bias of the next map
                continue
            begun = any(i in info and info[i][1] and not info[i][2] for i in fed)
            if contracts and begun and self.merging != "scales":
                found.update(ready)  # a scale in front is a part of its own
                continue
            if slots or (step.name in WIDENING and len(fed) == 1):
                keep(step, (base, slots, contracts or is_map))
        output = [r.index for r in tree_leaves(self.trace.output) if isinstance(r, Ref)]
        found.update(i for i in output if i in info and info[i][1])
        return {unscaled.get(i, i) for i in found}

    def _is_narrow(self, step: Step, between: int, base: int) -> bool:
        """Whether a map goes through fewer numbers than it begins and ends with."""
        if self.merging == "nothing":
            return False
        values = self.trace.values
        ends = [values[result].tensor for result in step.results]
        ends += [] if is_of_ids(values[base].tensor) else [values[base].tensor]
        return all(values[between].tensor.numel() < end.numel() for end in ends)

    def _looks_up(self, step: Step, known: list[_Info], meets: bool) -> bool:
        """Whether it goes on with what depends on ids alone, one by one.

        Behind a table that is no more than what is linear; what is added there has its own place.
        """
        base = known[0][0]
        if len({b for b, _, _ in known}) > 1 or not is_of_ids(self.trace.values[base].tensor):
            return False
        if any(slots for _, slots, _ in known):
            is_scaled = step.name in FACTORS and not meets  # by a number: no part of the table
            return step.name in CHOICES or (
                step.name in LINEAR
                and not is_scaled
                and not (meets and step.name in JOINS)
                and _is_idle(step)
            )
        return not step.name.endswith("_like")

    def _is_linear(self, step: Step, fed: list[int], known: list[_Info]) -> bool:
        if any(slots and is_of_ids(self.trace.values[base].tensor) for base, slots, _ in known):
            return False
        if step.name not in LINEAR or len({base for base, _, _ in known}) > 1:
            return False
        if len(fed) > 1 and step.name not in JOINS:
            return False
        if any(maps for *_, maps in known) and not all(slots for _, slots, _ in known):
            return False  # what a map is given is added to what it makes
        if "div" in step.name and step.given[0] != fed[0]:
            return False
        return _is_idle(step)


def _is_idle(step: Step) -> bool:
    """Whether it is no dropout that drops anything."""
    if step.name != "dropout":
        return True
    training = step.kwargs.get("training", step.args[2] if len(step.args) > 2 else True)
    return not training
