"""Bounds how many characters of a mark code could have chosen; knows no message, no reference."""

MOST_IN_MESSAGE = 24  # characters
MOST_IN_MARK = 48


class CharacterBudget:
    """How many characters may still be told; what was told before costs one.

    None at all where `is_asked_again`: many small tellings would add up.
    """

    def __init__(self, *, is_asked_again: bool = False) -> None:
        self._left: float = 0 if is_asked_again else MOST_IN_MARK
        self._left_in_message: float = MOST_IN_MESSAGE
        self._told: set[str] = set()
        self.was_short = False  # for something in this message

    def begin_message(self) -> None:
        """What follows belongs to another message."""
        self._left_in_message = MOST_IN_MESSAGE
        self.was_short = False

    def spend(self, characters: float, what: str = "") -> bool:
        """Whether so many may be told, of `what`; then they are spent. A choice is worth less."""
        if what in self._told:
            characters = min(characters, 1)
        if characters > min(self._left, self._left_in_message):
            self.was_short = True
            return False
        self._left -= characters
        self._left_in_message -= characters
        if what:
            self._told.add(what)
        return True
