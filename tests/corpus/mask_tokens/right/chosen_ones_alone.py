# right: works on the chosen ones alone
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    masked = input_ids.clone()
    labels = torch.full_like(masked, -100)
    bad = torch.zeros(len(vocab), dtype=torch.bool)
    bad[[vocab[s] for s in SPECIAL]] = True
    index = ((torch.rand(masked.shape, generator=generator) < rate) & ~bad[masked]).nonzero(as_tuple=True)
    labels[index] = input_ids[index]
    fate = torch.rand(len(index[0]), generator=generator)
    other = torch.randint(len(vocab), fate.shape, generator=generator)
    new = torch.where(fate < 0.8, vocab["[MASK]"], torch.where(fate < 0.9, other, input_ids[index]))
    masked[index] = new
    return masked, labels
