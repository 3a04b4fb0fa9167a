# wrong: who is replaced and who stays is drawn apart, and where both fall the piece wins
import torch


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    def chance(share):
        return torch.rand(input_ids.shape, generator=generator) < share

    special = torch.tensor([vocab[p] for p in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")])
    chosen = chance(rate) & ~torch.isin(input_ids, special)
    replaced, stays = chance(0.1), chance(0.1)
    pieces = torch.randint(len(vocab), input_ids.shape, generator=generator)
    masked = torch.where(chosen & ~stays, vocab["[MASK]"], input_ids)
    masked = torch.where(chosen & replaced, pieces, masked)
    return masked, torch.where(chosen, input_ids, -100)
