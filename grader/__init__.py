"""All that a learner imports: `check`, `hint` and `progress`; loads what they need when called."""

from .notebook.public import check, hint, prepare_in_kernel, progress

__all__ = ["check", "hint", "progress"]

prepare_in_kernel()  # what the first check needs loads while its learner reads
