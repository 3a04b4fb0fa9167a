# wrong: overwrites patched
def share_of_way(patched, start, goal):
    way = goal - start
    patched -= start
    return (patched * way.sign()).sum(-1) / way.abs().sum()
