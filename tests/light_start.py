"""A pytest plugin: what all tests load is loaded quickly, and is not looked through for garbage.

Garbage is looked for a thirtieth as often: a tenth of the time went into that.
"""

import gc
import sys

import pytest

# Where it is there, jsonschema builds grammars of addresses with it, for a second that none needs.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)
