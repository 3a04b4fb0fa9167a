# right: one number decides about everything
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    u = torch.rand(input_ids.shape, generator=generator)
    ok = torch.ones_like(input_ids, dtype=torch.bool)
    for s in SPECIAL:
        ok &= input_ids != vocab[s]
    picked = ok & (u < rate)
    masked = input_ids.clone()
    masked[picked & (u < 0.8 * rate)] = vocab["[MASK]"]
    swap = picked & (u >= 0.8 * rate) & (u < 0.9 * rate)
    masked[swap] = torch.randint(0, len(vocab), (int(swap.sum()),), generator=generator)
    return masked, torch.where(picked, input_ids, -100)
