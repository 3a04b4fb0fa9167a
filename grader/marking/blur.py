"""Waits for a random time, so that code run next cannot tell by the clock what was asked before."""

import random
import time

# How many times as long as it took, at most, what came of it is held back.
_BLUR = 2.0


def wait_at_random(began: float) -> None:
    """Wait, up to twice as long as has gone by since `began`, a time of `time.monotonic`."""
    time.sleep(_BLUR * random.SystemRandom().random() * (time.monotonic() - began))
