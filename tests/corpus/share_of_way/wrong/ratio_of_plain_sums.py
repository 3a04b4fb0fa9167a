# wrong: ways up and down cancel
# named: signed_ways
def share_of_way(patched, start, goal):
    return (patched - start).sum(dim=-1) / (goal - start).sum()
