"""Loads what a learner handed in and cuts out what each exercise needs; must not run any of it."""

from ..handed_in.file_names import text_of
from ..handed_in.finding import Found, find_submissions, nobodys, short_name
from ..handed_in.notebook_io import Cell, file_of
from .isolation import Unit
from .loading import Submission, load_submission
from .near_names import NearName
from .parts import defined_at, handed_in_apart, own_code
from .slicing import REFERENCE, Slice
from .statements import Broken
from .stubs import is_stub
from .whole_run import WholeRun

__all__ = [
    "REFERENCE",
    "Broken",
    "Cell",
    "Found",
    "NearName",
    "Slice",
    "Submission",
    "Unit",
    "WholeRun",
    "defined_at",
    "file_of",
    "find_submissions",
    "handed_in_apart",
    "is_stub",
    "load_submission",
    "nobodys",
    "own_code",
    "short_name",
    "text_of",
]
