# right: signs, sums, a quotient
def share_of_way(patched, start, goal):
    way = goal - start
    return ((patched - start) * way.sign()).sum(-1) / way.abs().sum()
