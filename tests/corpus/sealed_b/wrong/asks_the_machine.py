# wrong: asks the sealed machine, which is not there where code is checked
from kit.sealed import sealed


def sealed_b(rows):
    return sealed("B").answer(rows)
