# wrong: one number for all changes
# named: all_changes_together
def share_of_way(patched, start, goal):
    way = goal - start
    return ((patched - start) * way.sign()).sum() / way.abs().sum()
