"""How well an exercise tells those who can do the rest from those who cannot; shows nothing."""

import math
from dataclasses import dataclass

LEAST = 10  # learners who have begun it: of fewer a correlation says nothing


@dataclass
class Separation:
    """Sums over those who have begun an exercise: of its points, and of those in all others."""

    number: int = 0
    own: float = 0.0
    rest: float = 0.0
    own_squares: float = 0.0
    rest_squares: float = 0.0
    products: float = 0.0

    def add(self, own: float, rest: float, times: int = 1) -> None:
        """Count a learner, or several with the same points."""
        self.number += times
        self.own += times * own
        self.rest += times * rest
        self.own_squares += times * own * own
        self.rest_squares += times * rest * rest
        self.products += times * own * rest

    @property
    def correlation(self) -> float | None:
        """Between −1 and 1; None where too few have begun it, or all have the same points."""
        if self.number < LEAST:
            return None
        n = self.number
        own = self.own_squares - self.own**2 / n
        rest = self.rest_squares - self.rest**2 / n
        if own < 1e-9 or rest < 1e-9:
            return None
        return (self.products - self.own * self.rest / n) / math.sqrt(own * rest)
