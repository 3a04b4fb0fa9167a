"""Where this bundle's checker is, and the learner's token for it; speaks to nobody."""

from __future__ import annotations

import json
import os
from functools import cache
from importlib import resources
from pathlib import Path

_COURSE = "course.json"  # beside this module in a released bundle alone


@cache
def _course() -> dict[str, str]:
    try:
        text = resources.files("grader.learner").joinpath(_COURSE).read_text(encoding="utf-8")
    except OSError:
        return {}
    found: dict[str, str] = json.loads(text)
    return found


def checker() -> str:
    """The checker's address without a slash at its end; empty where there is none."""
    return os.environ.get("GRADER_CHECKER", _course().get("checker", "")).rstrip("/")


def token() -> str:
    """The learner's token for this checker; empty where none is known."""
    return os.environ.get("GRADER_TOKEN", "") or _tokens().get(checker(), "")


def keep_token(given: str) -> Path:
    """Keep a token for this checker in a file that its owner alone may read."""
    path = _file()
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({**_tokens(), checker(): given}, indent=1)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def _tokens() -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads(_file().read_text(encoding="utf-8"))
        return found
    except (OSError, ValueError):
        return {}


def _file() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "transformer-course" / "tokens.json"
