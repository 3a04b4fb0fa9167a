"""A module of the learner's as the checks hold it, made elsewhere; knows no expected value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from .asking import Asking
from .asks import Ask, LooseInfo, Outcome, ParameterInfo


class CandidateModule:
    """A module of the learner's, constructed and kept on the other side."""

    def __init__(self, candidate: Asking, made: Mapping[str, Any]) -> None:
        self._candidate = candidate
        self.stay_in_time = candidate.stay_in_time
        self.handle = made["handle"]
        self.is_module = bool(made["is_module"])
        self.changed_fields = tuple(map(str, made.get("changed_fields", ())))  # of the config
        self.parameters = tuple(
            ParameterInfo(**{**row, "shape": tuple(row["shape"])}) for row in made["parameters"]
        )
        self.loose = tuple(
            LooseInfo(row["path"], tuple(row["shape"]), row["kind"]) for row in made["loose"]
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What a call in eval mode gives; raises CandidateError."""
        return self.run(*args, **kwargs).value

    def run(self, *args: Any, **given: Any) -> Outcome:
        """Call the module as `running` asks for it; raises CandidateError."""
        return self._candidate.called(self.running(*args, **given))

    def running(
        self,
        *args: Any,
        train: bool = False,
        cotangent: Tensor | None = None,
        seed: int | None = None,
        trace: bool = False,
        meta: bool = False,
        strided: bool = False,
        others_first: bool = False,
        **kwargs: Any,
    ) -> Ask:
        """A call by default in eval mode; `meta`: on another device, without a value.

        `strided` and so on as `Candidate.run` has them. Of `others_first`, parameters too hold
        other numbers in the first call.
        """
        options = {"cotangent": cotangent, "seed": seed, "train": train, "trace": trace}
        options |= {"meta": meta, "strided": strided, "others_first": others_first}
        return self._candidate.calling({"handle": self.handle}, args, kwargs, options)

    def read(self) -> dict[str, Tensor]:
        """The parameters' values by name."""
        values: dict[str, Tensor] = self._candidate.request("read", handle=self.handle)["values"]
        return values

    def write(self, values: Mapping[str, Tensor]) -> None:
        """Copy `values` into the parameters of these names."""
        self._candidate.request("write", handle=self.handle, values=dict(values))

    def writing(self, values: Mapping[str, Tensor]) -> Ask:
        """The same as `write`, to be asked for with others."""
        return Ask("write", {"handle": self.handle, "values": dict(values)})

    def several(self, *asks: Ask) -> list[Any]:
        """What each is answered, as the candidate's own `several` has it."""
        return self._candidate.several(asks)

    def all_of(self, *asks: Ask) -> list[Any]:
        """The same; raises the first CandidateError among them."""
        return self._candidate.all_of(asks)
