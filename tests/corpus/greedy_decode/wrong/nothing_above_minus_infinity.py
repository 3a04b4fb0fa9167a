# wrong: takes −1 where all scores are −inf
def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    while len(ids) < max_length:
        best, highest = -1, float("-inf")
        for token, score in enumerate(step(list(ids)).tolist()):
            if score > highest:
                best, highest = token, score
        ids.append(best)
        if best == end_id:
            break
    return ids
