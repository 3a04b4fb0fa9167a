"""The life of one worker after its fork: frames in, answers out; knows nothing of the sandbox."""

from __future__ import annotations

from typing import Any

from .protocol import Closed, ProtocolError, encode, read_frame, write_frame
from .service import Service
from .values import BadTree, Callback


def serve(channel: int) -> None:
    """Answer requests until the examiner closes the channel."""
    nonce = b""

    def invoke(callback: Callback, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        asked = {"callback": callback.id, "args": args, "kwargs": kwargs}
        write_frame(channel, encode(nonce, asked))
        _, reply = read_frame(channel, nonce)
        if "value" not in reply:
            raise RuntimeError("the function given failed")
        return reply["value"]

    service = Service(invoke, in_process=False)
    while True:
        try:
            nonce, request = read_frame(channel)
        except Closed:
            return
        answer = _answer(service, request)
        try:
            frame = encode(nonce, {"answer": answer})
        except (BadTree, ProtocolError) as reason:
            frame = encode(nonce, {"answer": _failure("raised", "ValueError", f"answer: {reason}")})
        except MemoryError:
            frame = encode(nonce, {"answer": _failure("memory", "MemoryError", "")})
        write_frame(channel, frame)


def _answer(service: Service, request: Any) -> dict[str, Any]:
    try:
        return service.handle(request["op"], request["payload"])
    except MemoryError:
        return _failure("memory", "MemoryError", "")
    except Exception as error:  # a callback failed; the examiner knows why
        return _failure("raised", type(error).__name__, "")


def _failure(kind: str, type_name: str, message: str) -> dict[str, Any]:
    problem = {"kind": kind, "type": type_name, "message": message, "where": "answer", "frames": []}
    return {"error": problem}
