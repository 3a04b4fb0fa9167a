"""Short names for requests to the service, for the tests of the worker."""

from __future__ import annotations

import textwrap
from typing import Any

from grader.worker.answering import Service


def loaded(code: str, label: str = "03.ipynb, cell 4", line: int = 1) -> Service:
    """A service that holds `code`, which must load."""
    service = Service()
    assert load(service, code, label, line) == {"ok": {"left_out": []}}
    return service


def load(service: Service, code: str, label: str = "cell", line: int = 1) -> dict[str, Any]:
    units = [{"code": textwrap.dedent(code), "label": label, "line": line}]
    return service.handle("load", {"exercise": "f", "units": units, "harness": ""})


def call(
    service: Service, *args: Any, name: str = "f", target: Any = None, **options: Any
) -> dict[str, Any]:
    """The whole answer to one call."""
    payload = {"target": target or {"name": name}, "args": args, "kwargs": {}, "options": options}
    return service.handle("call", payload)


def value(service: Service, *args: Any, **rest: Any) -> Any:
    return call(service, *args, **rest)["ok"]["value"]


def problem(service: Service, *args: Any, **rest: Any) -> dict[str, Any]:
    error: dict[str, Any] = call(service, *args, **rest)["error"]
    return error


def construct(service: Service, *args: Any, name: str = "M", seed: int = 0) -> dict[str, Any]:
    payload = {"name": name, "args": args, "kwargs": {}, "seed": seed}
    made: dict[str, Any] = service.handle("construct", payload)["ok"]
    return made
