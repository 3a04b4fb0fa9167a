"""The life of one worker after its fork: frames in, answers out; knows nothing of the sandbox."""

import signal
from types import FrameType
from typing import Any

from .answering import Service
from .problems import RequestOutOfTime
from .protocol import MAX_ANSWER_SECTION, Closed, ProtocolError, encode, read_frame, write_frame
from .values import BadTree, Callback, type_name


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
    at_work: list[bool] = []

    def out_of_time(_number: int, _frame: FrameType | None) -> None:
        """Code that does not come to an end may say where it is; who asked ends it either way."""
        if at_work:
            raise RequestOutOfTime

    signal.signal(signal.SIGALRM, out_of_time)
    while True:
        try:
            nonce, request = read_frame(channel)
        except Closed:
            return
        try:
            at_work.append(True)
            try:
                answer = service.handle(request["op"], request["payload"])
            finally:
                at_work.clear()
        except RequestOutOfTime:  # between two lines of ours
            answer = _failure("late", "RequestOutOfTime", "")
        except MemoryError:
            answer = _failure("memory", "MemoryError", "")
        except Exception as error:  # a callback failed; the examiner knows why
            answer = _failure("raised", type(error).__name__, "")
        write_frame(channel, _frame(nonce, answer))


def _frame(nonce: bytes, answer: dict[str, Any]) -> bytes:
    """The answer as it is sent; one that cannot be sent becomes an error that says why."""
    try:
        return encode(nonce, {"answer": answer}, MAX_ANSWER_SECTION)
    except (BadTree, ProtocolError) as reason:
        message = f"the answer cannot be sent: {reason}"
        answer = _failure("raised", "ValueError", message)
    except MemoryError:
        answer = _failure("memory", "MemoryError", "")
    except Exception as error:  # a tensor of a kind that nobody has thought of
        message = f"what came back cannot be read ({type_name(error)}): is it an ordinary tensor?"
        answer = _failure("raised", "ValueError", message)
    return encode(nonce, {"answer": answer})


def _failure(kind: str, name: str, message: str) -> dict[str, Any]:
    problem = {"kind": kind, "type": name, "message": message, "where": "answer", "frames": []}
    return {"error": problem}
