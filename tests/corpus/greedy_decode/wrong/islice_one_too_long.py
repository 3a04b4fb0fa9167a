# wrong: generator with islice one too long
# named: start_not_counted
from itertools import islice
def greedy_decode(step, start_id, end_id, max_length):
    def stream():
        seq = [start_id]
        while True:
            nxt = int(step(list(seq)).argmax())
            seq.append(nxt)
            yield nxt
            if nxt == end_id:
                return
    return [start_id, *islice(stream(), max_length)]
