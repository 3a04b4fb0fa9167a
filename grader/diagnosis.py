"""Which known wrong turn does a candidate behave like? Leads to the search that fits it."""

from __future__ import annotations

from .candidate import Candidate
from .records import Diagnosis
from .seeds import generator_for


def diagnose(exercise: str, candidate: Candidate, seed: int) -> tuple[Diagnosis, ...]:
    """The misconceptions that reproduce the candidate's behaviour; empty where none does.

    Raises WorkerDied where asking for it ended the worker.
    """
    from .function_diagnosis import diagnose_function
    from .misconceptions.registry import function_subject

    generator = generator_for(seed, exercise, "diagnosis")
    subject = function_subject(exercise)
    if subject is not None:
        return diagnose_function(subject, candidate, generator)
    from .interpretation.registry import module_subject

    module = module_subject(exercise)
    if module is not None:
        from .interpretation.diagnosis import diagnose_module

        return diagnose_module(module, candidate, seed)
    return ()
