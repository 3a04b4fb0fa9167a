"""Asks the checker over HTTP, within bounds of time and size; knows no kernel."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from ...candidate.records import Mark, mark_from_json
from ...submission import Cell
from . import settings

T = TypeVar("T")
_SECONDS = 120.0
_OFTEN, _LONGEST = 429, 60  # the status of asking too often; seconds that are waited
_MOST = 10_000_000  # bytes of an answer
JSON, ZIP = "application/json", "application/zip"

_NO_TOKEN = (
    "No token is known. Your instructor has one for you: in a terminal, type `grader login` and "
    "paste it."
)
_NO_HUB = (
    "No token is known. Open these notebooks in JupyterHub, where none is needed; or request one "
    "on its page Token, type `grader login` in a terminal and paste it."
)
_OTHER = "What answers at {address} is no checker. Tell your instructor."


class CheckerError(Exception):
    """The checker did not do what it was asked for; the message says why and what to do."""


class _TooOften(CheckerError):
    """It will, after so many seconds."""

    def __init__(self, message: str, after: float) -> None:
        super().__init__(message)
        self.after = after


class _StaysHere(urllib.request.HTTPRedirectHandler):
    """Follows nobody: a token is for this checker alone."""

    def redirect_request(self, *_: Any) -> None:
        return None


def ask(path: str, body: bytes | None = None, kind: str = JSON, token: str = "") -> dict[str, Any]:
    """The checker's answer, to the learner's own token or to another; raises CheckerError."""
    address, token = settings.checker(), token or settings.token()
    if not address:
        raise CheckerError("This bundle names no checker.")
    if not token:
        raise CheckerError(_NO_HUB if settings.is_hubs() else _NO_TOKEN)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": kind}
    request = urllib.request.Request(f"{address}{path}", data=body, headers=headers)
    try:
        with urllib.request.build_opener(_StaysHere).open(request, timeout=_SECONDS) as answer:
            return _read(answer.read(_MOST + 1))
    except urllib.error.HTTPError as error:
        with error:
            after = error.headers.get("Retry-After", "")
            if error.code == _OFTEN and after.isdecimal() and int(after) <= _LONGEST:
                raise _TooOften(_why(error), int(after)) from None
            raise CheckerError(_why(error)) from None
    except (ValueError, http.client.HTTPException):
        raise CheckerError(_OTHER.format(address=address)) from None
    except OSError as error:
        reason = getattr(error, "reason", error)
        why = getattr(reason, "strerror", None) or reason
        message = f"The checker at {address} cannot be reached ({why}). Try again in a minute."
        raise CheckerError(message) from None


def patiently(asks: Callable[[], T]) -> T:
    """What comes of asking, again where the checker was asked too often; raises CheckerError."""
    while True:
        try:
            return asks()
        except _TooOften as often:
            time.sleep(often.after)


def mark_of(exercise: str, cells: Sequence[Cell]) -> Mark:
    """The checker's mark of one exercise that stands in these cells; raises CheckerError."""
    body = json.dumps({"exercise": exercise, "cells": [asdict(cell) for cell in cells]}).encode()
    return mark_from_json(ask("/check", body)["mark"])


def _read(content: bytes) -> dict[str, Any]:
    found = json.loads(content) if len(content) <= _MOST else None
    if not isinstance(found, dict):
        raise ValueError
    return found


def _why(error: urllib.error.HTTPError) -> str:
    """The checker's own words; else what somebody before it answers, such as a proxy."""
    try:
        return str(_read(error.read(_MOST + 1))["error"])
    except (OSError, ValueError, KeyError):
        address = settings.checker()
    if error.code in (502, 503, 504):
        return f"The checker at {address} is not running. Try again in a minute."
    return f"{_OTHER.format(address=address)} (Its status is {error.code}.)"
