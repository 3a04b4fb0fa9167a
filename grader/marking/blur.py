"""Waits for a random time, so that code run next cannot tell by the clock what was asked before."""

import random
import time

# How many times as long as it took, at most, what came of it is held back; never for longer.
_BLUR, _LONGEST = 2.0, 10.0


def wait_at_random(began: float) -> None:
    """Wait, up to twice as long as has gone by since `began`, a time of `time.monotonic`.

    Whoever takes long on purpose holds nobody else up: ten seconds is the longest.
    """
    most = min(_LONGEST, _BLUR * (time.monotonic() - began))
    time.sleep(random.SystemRandom().random() * most)
