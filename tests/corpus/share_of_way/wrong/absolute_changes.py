# wrong: every change is progress
# named: size_of_change
def share_of_way(patched, start, goal):
    return (patched - start).abs().sum(-1) / (goal - start).abs().sum()
