"""Counts what may still be read of one submission, however many files it is in; opens none."""

from dataclasses import dataclass

from .files import MAX_ENTRIES, MAX_FILES, MAX_FOLDER_BYTES, MEGABYTE, Refused

MAX_ZIPPED_BYTES = 100 * MEGABYTE  # of all zips in one folder, before anything is unpacked
MAX_DATA_FILES = 50  # small ones that code may read; the others are passed over
MAX_LISTED = 10 * MAX_ENTRIES  # entries of all zips in one folder


@dataclass
class ParseQuota:
    """One for a whole submission: its files, its zips, and what is in them."""

    files: int = MAX_FILES
    data: int = MAX_DATA_FILES
    size: int = MAX_FOLDER_BYTES
    zipped: int = MAX_ZIPPED_BYTES
    listed: int = MAX_LISTED

    def ask(self, size: int = 0) -> None:
        """Raises Refused where nothing more, or not so much more, is read.

        It is asked before a file is opened.
        """
        if self.files <= 0:
            raise Refused(f"is one of more than {MAX_FILES} files; it is left out")
        if self.size <= 0 or self.size < size:
            message = f"comes after {MAX_FOLDER_BYTES / MEGABYTE:,.0f} MB of files; it is left out"
            raise Refused(message)

    def ask_for_zip(self) -> None:
        """The same before a zip is opened, whose list of names alone takes time."""
        self.ask()
        if self.zipped <= 0 or self.listed <= 0:
            raise Refused("comes after too much in other zips; hand in one zip of notebooks alone")

    def ask_for_data(self) -> None:
        """Raises Refused after so many data files: code that asks for another is told."""
        self.data -= 1
        if self.data < 0:
            raise Refused(f"is one of more than {MAX_DATA_FILES} data files; it is left out")

    def take(self, content: bytes) -> None:
        """Count a file that was read; raises Refused where it was too large for what was left."""
        self.size -= len(content)
        if self.size < 0:
            self.ask()  # and all that comes after is refused as well
        self.files -= 1
