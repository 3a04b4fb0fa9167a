# wrong: six fixed places, and so an error for shorter rows
# named: six_places
import torch


def sealed_a(rows):
    return rows[:, [5, 4, 3, 2, 1, 0]]
