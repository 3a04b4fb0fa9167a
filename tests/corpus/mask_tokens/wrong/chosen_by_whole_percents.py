# wrong: chosen by a whole number from 0 to 99: a rate of half a percent chooses one in a hundred
import torch
def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = torch.tensor([vocab[p] for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")])
    chosen = torch.randint(0, 100, input_ids.shape, generator=generator) < rate * 100
    chosen &= ~torch.isin(input_ids, special)
    fate = torch.randint(0, 10, input_ids.shape, generator=generator)
    other = torch.randint(0, len(vocab), input_ids.shape, generator=generator)
    masked = input_ids.clone()
    masked[chosen & (fate < 8)] = vocab["[MASK]"]
    masked[chosen & (fate == 8)] = other[chosen & (fate == 8)]
    labels = torch.where(chosen, input_ids, -100)
    return masked, labels
