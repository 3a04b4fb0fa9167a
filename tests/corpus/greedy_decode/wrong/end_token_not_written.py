# wrong: does not write the end token
# named: end_dropped
def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    for _ in range(max_length - 1):
        new = step(ids).argmax().item()
        if new == end_id:
            return ids
        ids = ids + [new]
    return ids
