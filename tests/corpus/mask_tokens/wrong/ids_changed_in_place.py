# wrong: in place
# named: changes_its_input
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = torch.tensor([vocab[s] for s in SPECIAL])
    draw = lambda: torch.rand(input_ids.shape, generator=generator)
    chosen = (draw() < rate) & ~torch.isin(input_ids, special)
    u = draw()
    other = torch.randint(len(vocab), input_ids.shape, generator=generator)
    original = input_ids.clone()
    masked = input_ids
    masked[chosen & (u < 0.8)] = vocab["[MASK]"]
    swap = chosen & (u >= 0.8) & (u < 0.9)
    masked[swap] = other[swap]
    labels = torch.where(chosen, original, -100)
    return masked, labels
