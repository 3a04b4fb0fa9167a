# wrong: pieces are drawn up to len(vocab), an id that no piece has
import torch

def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special = torch.tensor([vocab[p] for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")])
    chosen = (torch.rand(input_ids.shape, generator=generator) < rate) & ~torch.isin(input_ids, special)
    fate = torch.rand(input_ids.shape, generator=generator)
    other = torch.randint(0, len(vocab) + 1, input_ids.shape, generator=generator)
    masked = torch.where(chosen & (fate < 0.8), vocab["[MASK]"], input_ids)
    masked = torch.where(chosen & (fate >= 0.9), other, masked)
    return masked, torch.where(chosen, input_ids, -100)
