"""A learner's browser in JupyterHub: logs in, starts a server, saves notebooks, runs cells."""

import json
import re
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

_SECONDS = 300.0


class HubLearner:
    """One user, who knows a name and a password; an asynchronous context manager."""

    def __init__(self, hub: str, name: str, password: str) -> None:
        """`hub`: its address, without a slash at its end."""
        self.hub, self.name = hub, name
        self._password = password
        self._browser = httpx.AsyncClient(base_url=hub, timeout=_SECONDS, trust_env=False)

    async def __aenter__(self) -> "HubLearner":
        """Log in through the form, request a token on its page, start the server."""
        await self._browser.get("/hub/login")
        form = {"username": self.name, "password": self._password, "_xsrf": self._xsrf()}
        answer = await self._browser.post("/hub/login", data=form)
        assert answer.status_code == 302, answer.text
        await self._browser.get("/hub/token")
        token = (await self.request_token())["token"]
        self._browser.headers["Authorization"] = f"token {token}"
        answer = await self._browser.post(f"/hub/api/users/{self.name}/server")
        assert answer.status_code in (201, 202), answer.text
        progress = f"/hub/api/users/{self.name}/server/progress"
        async with self._browser.stream("GET", progress) as told:
            async for line in told.aiter_lines():
                assert '"failed": true' not in line, line
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._browser.delete(f"/hub/api/users/{self.name}/server")
        await self._browser.aclose()

    def _xsrf(self) -> str:
        return next(each.value or "" for each in self._browser.cookies.jar if each.name == "_xsrf")

    async def request_token(self, **how: Any) -> dict[str, Any]:
        """Another token of this user, as JupyterHub's API gives it; `how`: its life and scopes."""
        answer = await self._browser.post(
            f"/hub/api/users/{self.name}/tokens", json=how, headers={"X-XSRFToken": self._xsrf()}
        )
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def status_of(self, path: str) -> int:
        """What this user is answered there."""
        return (await self._browser.get(path)).status_code

    async def save(self, path: str, notebook: dict[str, Any]) -> None:
        """Save a notebook, as JupyterLab does."""
        model = {"type": "notebook", "format": "json", "content": notebook}
        address = f"/user/{self.name}/api/contents/{path}"
        answer = await self._browser.put(address, json=model)
        assert answer.status_code in (200, 201), answer.text

    async def read(self, path: str) -> dict[str, Any]:
        """A notebook as it is saved."""
        answer = await self._browser.get(f"/user/{self.name}/api/contents/{path}")
        found: dict[str, Any] = answer.json()["content"]
        return found

    @asynccontextmanager
    async def kernel(self, path: str) -> AsyncIterator["Kernel"]:
        """A kernel for a notebook, as JupyterLab starts it."""
        kernels = f"/user/{self.name}/api/kernels"
        answer = await self._browser.post(kernels, json={"name": "python3", "path": path})
        number = answer.json()["id"]
        address = f"{self.hub.replace('http', 'ws', 1)}{kernels}/{number}/channels"
        token = {"Authorization": self._browser.headers["Authorization"]}
        line = await websocket_connect(HTTPRequest(address, headers=token))
        try:
            yield Kernel(line)
        finally:
            line.close()
            await self._browser.delete(f"{kernels}/{number}")


class Kernel:
    """A kernel behind its websocket."""

    def __init__(self, line: WebSocketClientConnection) -> None:
        self._line = line

    async def run(self, code: str) -> str:
        """All that a cell shows, as text; raises AssertionError where it ends with an error."""
        number = uuid.uuid4().hex
        head = {"msg_id": number, "msg_type": "execute_request", "username": "", "session": number}
        content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
        message = {
            "header": {**head, "version": "5.3"},
            "parent_header": {},
            "metadata": {},
            "content": content,
            "channel": "shell",
        }
        await self._line.write_message(json.dumps(message))
        shown: list[str] = []
        while True:
            told = await self._line.read_message()
            assert told is not None, "the kernel is gone"
            heard = json.loads(told)
            if heard["parent_header"].get("msg_id") != number:
                continue
            kind, content = heard["msg_type"], heard["content"]
            if kind == "stream":
                shown.append(content["text"])
            elif kind in ("execute_result", "display_data"):
                shown.append(content["data"].get("text/plain", ""))
            elif kind == "error":
                trace = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(content["traceback"]))
                raise AssertionError(f"{code}\n{trace}")
            elif kind == "status" and content["execution_state"] == "idle":
                return "\n".join(shown)
