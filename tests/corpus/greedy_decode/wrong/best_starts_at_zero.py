# wrong: the best score so far starts at 0: where all scores are negative, token 0 is taken
# named: begins_at_zero
def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    while len(ids) < max_length:
        best, best_score = 0, 0.0
        for token, score in enumerate(step(list(ids)).tolist()):
            if score > best_score:
                best, best_score = token, score
        ids.append(best)
        if best == end_id:
            break
    return ids
