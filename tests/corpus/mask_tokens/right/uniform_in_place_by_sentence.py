# right: uniform_ in place, sentence by sentence
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = {vocab[s] for s in SPECIAL}
    out, goals = [], []
    for row in input_ids:
        a = torch.empty(len(row)).uniform_(generator=generator)
        b = torch.empty(len(row)).uniform_(generator=generator)
        w = torch.empty(len(row), dtype=torch.long).random_(0, len(vocab), generator=generator)
        word = torch.tensor([int(t) not in special for t in row])
        c = word & (a < rate)
        new = row.clone()
        new[c & (b < 0.8)] = vocab["[MASK]"]
        new[c & (b >= 0.9)] = w[c & (b >= 0.9)]
        out.append(new)
        goals.append(row.masked_fill(~c, -100))
    return torch.stack(out), torch.stack(goals)
