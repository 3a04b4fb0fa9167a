# wrong: the best score so far is set before the loop over steps and not anew in each step, so a step with lower scores takes the old token again
# named: best_kept
def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    best, best_score = None, float("-inf")
    while len(ids) < max_length:
        scores = step(list(ids)).tolist()
        for token, score in enumerate(scores):
            if best is None or score > best_score:
                best, best_score = token, score
        ids.append(best)
        if best == end_id:
            break
    return ids
