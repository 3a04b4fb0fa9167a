# wrong: id 0 is taken for [PAD], whatever the vocabulary says
import torch

def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = {0, *(vocab[p] for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))}
    free = ~torch.isin(input_ids, torch.tensor(sorted(special)))
    chosen = free & (torch.rand(input_ids.shape, generator=generator) < rate)
    fate = torch.rand(input_ids.shape, generator=generator)
    other = torch.randint(len(vocab), input_ids.shape, generator=generator)
    masked = input_ids.masked_fill(chosen & (fate < 0.8), vocab["[MASK]"])
    masked = torch.where(chosen & (fate >= 0.9), other, masked)
    return masked, input_ids.masked_fill(~chosen, -100)
