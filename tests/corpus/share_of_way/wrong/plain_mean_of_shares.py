# wrong: every pair counts the same
# named: mean_of_shares
def share_of_way(patched, start, goal):
    return ((patched - start) / (goal - start)).mean(-1)
