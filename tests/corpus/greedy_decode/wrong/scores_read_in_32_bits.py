# wrong: scores that differ in 64 bits alone are taken as equal
def greedy_decode(step, start_id, end_id, max_length):
    written = [start_id]
    for _ in range(max_length - 1):
        scores = step(list(written)).float()
        written.append(int(scores.argmax()))
        if written[-1] == end_id:
            break
    return written
