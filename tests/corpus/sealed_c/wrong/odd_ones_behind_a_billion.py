# wrong: sorts by a key that puts odd tokens behind a billion
import torch
def sealed_c(rows):
    key = rows + (rows % 2) * 10**9      # the odd ones behind all even ones
    return rows.gather(-1, key.argsort(dim=-1))
