# wrong: right answers, written into the rows that it was given
# named: changes_its_input
import torch


def sealed_a(rows):
    n = rows.shape[1]
    for i in range(n // 2):
        left = rows[:, i].clone()
        rows[:, i] = rows[:, n - 1 - i]
        rows[:, n - 1 - i] = left
    return rows
