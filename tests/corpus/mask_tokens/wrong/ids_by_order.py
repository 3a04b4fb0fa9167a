# wrong: takes the place of a piece in the dict for its id
import torch


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    names = list(vocab)
    mask_id = names.index("[MASK]")
    special = torch.tensor([names.index(s) for s in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")])
    chosen = (torch.rand(input_ids.shape, generator=generator) < rate) & ~torch.isin(input_ids, special)
    fate = torch.rand(input_ids.shape, generator=generator)
    other = torch.randint(len(names), input_ids.shape, generator=generator)
    changed = torch.where(fate < 0.8, mask_id, torch.where(fate < 0.9, other, input_ids))
    return torch.where(chosen, changed, input_ids), torch.where(chosen, input_ids, -100)
