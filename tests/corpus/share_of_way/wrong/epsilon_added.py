# wrong: a small number keeps pairs without a way
def share_of_way(patched, start, goal):
    way = goal - start
    share = (patched - start) / (way + 1e-2)
    return (share * way.abs()).sum(-1) / way.abs().sum()
