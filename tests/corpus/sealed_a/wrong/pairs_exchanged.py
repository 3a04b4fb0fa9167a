# wrong: neighbours change places, two by two
import torch


def sealed_a(rows):
    out = rows.clone()
    n = rows.shape[1] // 2 * 2
    out[:, 0:n:2], out[:, 1:n:2] = rows[:, 1:n:2], rows[:, 0:n:2]
    return out
