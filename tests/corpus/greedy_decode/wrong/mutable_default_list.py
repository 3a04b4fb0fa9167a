# wrong: ids are kept in a list that outlives the call
def greedy_decode(step, start_id, end_id, max_length, ids=[]):
    ids.append(start_id)
    start = len(ids) - 1
    while len(ids) < max_length:
        ids.append(int(step(list(ids)).argmax()))
        if ids[-1] == end_id:
            break
    return list(ids)
