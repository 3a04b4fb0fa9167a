# right: multinomial over the three fates
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = torch.tensor([vocab[s] for s in SPECIAL])
    chosen = (torch.rand(input_ids.shape, generator=generator) < rate) & torch.isin(input_ids, special, invert=True)
    fate = torch.multinomial(torch.tensor([0.8, 0.1, 0.1]), input_ids.numel(), True, generator=generator)
    fate = fate.view_as(input_ids)
    other = torch.randint_like(input_ids, 0, 1)
    other = torch.randint(len(vocab), other.shape, generator=generator)
    options = torch.stack([torch.full_like(input_ids, vocab["[MASK]"]), other, input_ids])
    masked = torch.where(chosen, options.gather(0, fate[None])[0], input_ids)
    return masked, input_ids.masked_fill(~chosen, -100)
