# wrong: overwrites patched
# named: changes_its_input
def share_of_way(patched, start, goal):
    way = goal - start
    patched -= start
    return (patched * way.sign()).sum(-1) / way.abs().sum()
