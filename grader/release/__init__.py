"""Writes the learner's bundle: the course without references, checks and misconceptions."""

from .chapters import ReleaseError, chapters_of
from .write import Release, write_bundle

__all__ = ["Release", "ReleaseError", "chapters_of", "write_bundle"]
