# wrong: the sum of steps
# named: summed
def share_of_way(patched, start, goal):
    return ((patched - start) * (goal - start).sign()).sum(-1)
