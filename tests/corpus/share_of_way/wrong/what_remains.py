# wrong: how much is left
# named: what_is_left
def share_of_way(patched, start, goal):
    way = goal - start
    return ((goal - patched) * way.sign()).sum(-1) / way.abs().sum()
