# wrong: long ways count by their square
# named: squared_ways
def share_of_way(patched, start, goal):
    way = goal - start
    return ((patched - start) * way).sum(-1) / way.square().sum()
