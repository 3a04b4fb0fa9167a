# right: beam of width one with a class
import torch
class Beam:
    def __init__(self, bos, eos, limit):
        self.tokens, self.eos, self.limit = [bos], eos, limit
        self.finished = limit <= 1
    def advance(self, logits):
        token = logits.sort(descending=True, stable=True).indices[0].item()
        self.tokens = self.tokens + [token]
        self.finished = token == self.eos or len(self.tokens) >= self.limit
def greedy_decode(step, start_id, end_id, max_length):
    beam = Beam(start_id, end_id, max_length)
    while not beam.finished:
        beam.advance(step(beam.tokens))
    return beam.tokens
