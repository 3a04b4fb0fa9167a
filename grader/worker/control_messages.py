"""Reads what the examiner asks of the warm process, line by line; obeys nothing."""

import json
import socket
from collections import deque
from typing import Any

_MAX_MESSAGE = 2**20


class Messages:
    """Lines of JSON from the examiner, each with the descriptor it brought, if any."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._buffer = b""
        self._passed: deque[int] = deque()

    def receive(self) -> list[tuple[dict[str, Any], int | None]] | None:
        """The lines that one read completes; None at the end of the stream."""
        data, passed, _, _ = socket.recv_fds(self._control, 2**16, 64)
        if not data:
            return None
        self._passed.extend(passed)
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        if len(self._buffer) > _MAX_MESSAGE:
            raise ValueError("an endless message")
        messages = []
        for line in lines:
            message = json.loads(line)
            brings = message.get("do") in ("fork", "clone") and self._passed
            messages.append((message, self._passed.popleft() if brings else None))
        return messages
