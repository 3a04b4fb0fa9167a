"""All that a learner imports: `check`, `hint` and `progress`; loads what they need when called."""

import sys

from .notebook.public import check, hint, progress

__all__ = ["check", "hint", "progress"]


def _in_kernel() -> bool:
    """Whether this is a notebook; what only talks to kernels, as nbval does, has ipykernel too."""
    app = sys.modules.get("ipykernel.kernelapp")
    return app is not None and bool(app.IPKernelApp.initialized())


if _in_kernel():  # what the first check needs loads while its learner reads
    from .notebook.api import prepare

    prepare()
