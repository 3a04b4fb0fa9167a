"""What is answered instead of what was asked for; knows no request."""


class Refusal(Exception):
    """An HTTP status, one sentence, and the seconds after which to try again, if that may help."""

    def __init__(self, status: int, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.status, self.after = status, after
