# wrong: measured by the goal, not the way
# named: divided_by_goal
def share_of_way(patched, start, goal):
    return ((patched - start) * (goal - start).sign()).sum(-1) / goal.abs().sum()
