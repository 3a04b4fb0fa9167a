# wrong: the end is looked for at the start too
# named: end_of_start
def greedy_decode(step, start_id, end_id, max_length):
    seq = [start_id]
    while len(seq) < max_length and seq[-1] != end_id:
        seq += [step(list(seq)).argmax().item()]
    return seq
