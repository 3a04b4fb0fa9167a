# wrong: ignores which way is up
# named: no_direction
def share_of_way(patched, start, goal):
    return (patched - start).sum(-1) / (goal - start).abs().sum()
