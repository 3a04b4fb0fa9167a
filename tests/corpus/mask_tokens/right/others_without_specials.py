# right: other pieces that are not special
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    pieces = torch.tensor([i for p, i in vocab.items() if p not in SPECIAL])
    ok = torch.isin(input_ids, pieces)
    chosen = ok & (torch.rand(input_ids.shape, generator=generator) < rate)
    u = torch.rand(input_ids.shape, generator=generator)
    other = pieces[torch.randint(len(pieces), input_ids.shape, generator=generator)]
    masked = input_ids.clone()
    masked[chosen & (u < 0.8)] = vocab["[MASK]"]
    masked[chosen & (u > 0.9)] = other[chosen & (u > 0.9)]
    return masked, torch.where(chosen, input_ids, torch.full_like(input_ids, -100))
