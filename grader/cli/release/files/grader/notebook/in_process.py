"""Marking in a bundle: by the checker, or without one by what needs no answer."""

from grader.notebook.bundle.remote_marking import check_in_kernel, get_ready

__all__ = ["check_in_kernel", "get_ready"]
