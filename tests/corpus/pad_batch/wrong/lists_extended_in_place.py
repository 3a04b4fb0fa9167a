# wrong: extends the learner's lists in place
# named: changes_its_input
import torch

def pad_batch(sequences, pad_id):
    lengths = [len(s) for s in sequences]
    n = max(lengths)
    for s in sequences:
        s.extend([pad_id] * (n - len(s)))
    return torch.tensor(sequences, dtype=torch.long), torch.tensor([[int(i < k) for i in range(n)] for k in lengths])
