# wrong: exactly the share of each sentence
# named: exact_count
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = torch.tensor([vocab[s] for s in SPECIAL])
    draw = lambda: torch.rand(input_ids.shape, generator=generator)
    free = ~torch.isin(input_ids, special)
    chosen = torch.zeros_like(free)
    for i in range(len(free)):
        places = free[i].nonzero()[:, 0]
        places = places[torch.randperm(len(places), generator=generator)]
        chosen[i, places[: round(rate * len(places))]] = True
    u = draw()
    other = torch.randint(len(vocab), input_ids.shape, generator=generator)
    masked = input_ids.clone()
    masked[chosen & (u < 0.8)] = vocab["[MASK]"]
    swap = chosen & (u >= 0.8) & (u < 0.9)
    masked[swap] = other[swap]
    labels = torch.where(chosen, input_ids, -100)
    return masked, labels
