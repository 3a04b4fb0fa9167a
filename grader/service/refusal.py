"""What is answered instead of what was asked for; knows no request."""

from starlette.responses import JSONResponse, Response

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}  # of every answer


class Refusal(Exception):
    """An HTTP status, one sentence, and the seconds after which to try again, if that may help."""

    def __init__(self, status: int, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.status, self.after = status, after

    def response(self) -> Response:
        """It as it is sent."""
        after = {"Retry-After": str(int(self.after) + 1)} if self.after else {}
        return JSONResponse({"error": str(self)}, self.status, {**HEADERS, **after})
