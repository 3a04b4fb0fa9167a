# wrong: takes the largest chance: tiny scores become equal
# named: chances_compared
import torch


def greedy_decode(step, start_id, end_id, max_length):
    sequence = [int(start_id)]
    for _ in range(max_length - 1):
        probabilities = torch.softmax(step(list(sequence)), dim=-1)
        sequence.append(int(torch.argmax(probabilities)))
        if sequence[-1] == end_id:
            break
    return sequence
