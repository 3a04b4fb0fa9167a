# right: iter with sentinel-less generator, max over enumerate of a list
from itertools import islice
def greedy_decode(step, start_id, end_id, max_length):
    def stream():
        seq = [start_id]
        yield start_id
        while True:
            scores = step(seq[:]).tolist()
            best = max(range(len(scores)), key=scores.__getitem__)
            seq.append(best)
            yield best
            if best == end_id:
                return
    return list(islice(stream(), max_length))
