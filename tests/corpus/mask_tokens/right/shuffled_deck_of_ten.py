# right: randperm deck of ten
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = torch.tensor(sorted(vocab[s] for s in SPECIAL))
    place = torch.searchsorted(special, input_ids.contiguous()).clamp(max=4)
    is_special = special[place] == input_ids
    chosen = ~is_special & (torch.rand(input_ids.shape, generator=generator) < rate)
    deck = torch.randint(10, input_ids.shape, generator=generator)
    other = torch.randint(high=len(vocab), size=input_ids.shape, generator=generator)
    masked = input_ids.clone().masked_scatter_(chosen & (deck == 9), other[chosen & (deck == 9)])
    masked[chosen & (deck < 8)] = vocab["[MASK]"]
    labels = input_ids.clone()
    labels[~chosen] = -100
    return masked, labels
