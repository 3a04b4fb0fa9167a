# wrong: 0/0 for a pair without a way
# named: nan_without_way
def share_of_way(patched, start, goal):
    way = goal - start
    share = (patched - start) / way
    return (share * way.abs()).sum(-1) / way.abs().sum()
