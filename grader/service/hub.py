"""Asks JupyterHub whose a token is, where the checker is a service of it; knows no request."""

import asyncio
import http.client
import json
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import SplitResult, urlsplit

from ..curriculum.complaint import Complaint
from .enrolment import unfit
from .ledger import Ledger, LedgerError, NotKept, hashed
from .refusal import Refusal

_SECONDS = 5.0  # for JupyterHub's answer
_HOLDS = 60.0  # seconds for which a user's token is not asked about again
_AT_ONCE = 4  # tokens that JupyterHub is asked about
_MOST = 1_000_000  # bytes of its answer


_NO_ANSWER = "JupyterHub does not tell the checker who you are. Try again in a minute."


@dataclass(frozen=True)
class HubService:
    """What JupyterHub tells a service: its own address, and the service's name and place."""

    api: SplitResult
    name: str
    prefix: str  # of all paths, without a slash at its end
    host: str
    port: int

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """What stands in the environment of a service that has a `url`; raises Complaint."""
        parts = ("API_URL", "SERVICE_NAME", "SERVICE_PREFIX", "SERVICE_URL")
        names = [f"JUPYTERHUB_{each}" for each in parts]
        for missing in (each for each in names if not environment.get(each)):
            raise Complaint(f"--hub is for a service that JupyterHub starts: {missing} is not set")
        api, name, prefix, url = (environment[each] for each in names)
        try:
            place, hub = urlsplit(url), urlsplit(api.rstrip("/"))
            found = cls(hub, name, prefix.rstrip("/"), place.hostname or "", place.port or 0)
        except ValueError:
            raise Complaint(f"{url} and {api} must be addresses") from None
        if not (hub.hostname and found.host and found.port):
            raise Complaint(f"the service's url must name a host and a port: {url}")
        return found


class HubUsers:
    """The learners behind JupyterHub's tokens."""

    def __init__(self, service: HubService, store: Ledger) -> None:
        self.prefix = service.prefix  # what JupyterHub's proxy puts before each path
        self._service = service
        self._store = store
        self._known: dict[str, tuple[str, float]] = {}  # by hash of the token: who, until when
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="hub")

    def close(self) -> None:
        """Ask no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def owner(self, token: str) -> str:
        """Whose token this is; raises Refusal."""
        key, now = hashed(token), time.monotonic()
        self._known = {each: held for each, held in self._known.items() if held[1] > now}
        if key not in self._known:
            loop = asyncio.get_running_loop()
            learner = await loop.run_in_executor(self._threads, self._ask, token)
            self._known[key] = learner, time.monotonic() + _HOLDS
        return self._known[key][0]

    def _ask(self, token: str) -> str:
        status, content = self._answer(token)
        if status in (401, 403):
            raise Refusal(
                401,
                "Neither the checker nor JupyterHub knows this token. In JupyterHub, stop your "
                "server and start it again (File, Hub Control Panel). Elsewhere, `grader login` "
                "sets another token.",
            )
        try:
            if status != 200:
                raise ValueError
            user: dict[str, Any] = json.loads(content)
            kind, name, scopes = user["kind"], str(user["name"]), set(user["scopes"])
        except (ValueError, KeyError, TypeError):
            raise Refusal(503, _NO_ANSWER) from None
        if kind != "user":
            raise Refusal(403, "This token is a service's, and no learner's.")
        needed = f"access:services!service={self._service.name}"
        if not scopes & {"access:services", needed}:
            raise Refusal(
                403,
                "JupyterHub knows you, but does not let you use the checker. Tell your instructor "
                f"that the scope {needed} is missing.",
            )
        try:
            if why := unfit(name):
                raise LedgerError(f"{name!r} {why}")
            self._store.admit(name)
        except NotKept:
            raise
        except LedgerError as error:
            message = f"The checker cannot take you in under your name in JupyterHub: {error}."
            raise Refusal(403, f"{message} Tell your instructor.") from None
        return name

    def _answer(self, token: str) -> tuple[int, bytes]:
        """Status and content; JupyterHub is asked directly, whatever proxy is set for the web."""
        api = self._service.api
        kind = http.client.HTTPSConnection if api.scheme == "https" else http.client.HTTPConnection
        connection = kind(api.hostname or "", api.port, timeout=_SECONDS)
        headers = {"Authorization": f"token {token}"}
        try:
            with closing(connection):
                connection.request("GET", f"{api.path}/user", headers=headers)
                answer = connection.getresponse()
                return answer.status, answer.read(_MOST)
        except (OSError, http.client.HTTPException, ValueError):
            raise Refusal(503, _NO_ANSWER) from None
