# wrong: a step away from the goal counts like one towards it
# named: size_of_change
def share_of_way(patched, start, goal):
    moved = (patched - start).abs().masked_fill(start == goal, 0)
    return moved.sum(-1) / (goal - start).abs().sum()
