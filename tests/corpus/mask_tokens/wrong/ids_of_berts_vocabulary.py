# wrong: pieces are drawn from ids of a vocabulary of BERT's size
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

def mask_tokens(input_ids, vocab, generator, rate=0.15):
    free = torch.ones_like(input_ids, dtype=torch.bool)
    for piece in SPECIAL:
        free &= input_ids != vocab[piece]
    chosen = free & (torch.rand(input_ids.shape, generator=generator) < rate)
    dice = torch.rand(input_ids.shape, generator=generator)
    masked = input_ids.clone()
    masked[chosen & (dice < 0.8)] = vocab["[MASK]"]
    swap = chosen & (dice > 0.9)
    masked[swap] = torch.randint(30522, (int(swap.sum()),), generator=generator)
    labels = torch.full_like(input_ids, -100)
    labels[chosen] = input_ids[chosen]
    return masked, labels
