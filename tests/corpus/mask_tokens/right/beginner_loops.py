# right: two loops over rows and places, one number after the other
import torch

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    special_ids = []
    for word in SPECIALS:
        special_ids.append(vocab[word])
    masked = input_ids.clone()
    labels = input_ids.clone()
    for i in range(input_ids.shape[0]):
        for j in range(input_ids.shape[1]):
            token = int(input_ids[i, j])
            labels[i, j] = -100
            if token in special_ids:
                continue
            coin = torch.rand(1, generator=generator).item()
            if coin < rate:
                labels[i, j] = token
                what = torch.rand(1, generator=generator).item()
                if what < 0.8:
                    masked[i, j] = vocab["[MASK]"]
                elif what < 0.9:
                    masked[i, j] = torch.randint(0, len(vocab), (1,), generator=generator).item()
                # else: stays as it is
    return masked, labels
