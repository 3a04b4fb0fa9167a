# wrong: the result is held between 0 and 1
def share_of_way(patched, start, goal):
    way = goal - start
    return (((patched - start) * way.sign()).sum(-1) / way.abs().sum()).clamp(0, 1)
