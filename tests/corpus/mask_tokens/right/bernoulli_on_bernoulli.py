# right: bernoulli on bernoulli, as in library code
import torch

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    labels = input_ids.clone()
    probability = torch.full(labels.shape, rate)
    special = sum(labels == vocab[s] for s in SPECIAL).bool()
    probability.masked_fill_(special, 0.0)
    masked_indices = torch.bernoulli(probability, generator=generator).bool()
    labels[~masked_indices] = -100
    inputs = input_ids.clone()
    replaced = torch.bernoulli(torch.full(labels.shape, 0.8), generator=generator).bool() & masked_indices
    inputs[replaced] = vocab["[MASK]"]
    random_ones = torch.bernoulli(torch.full(labels.shape, 0.5), generator=generator).bool()
    random_ones = random_ones & masked_indices & ~replaced
    words = torch.randint(len(vocab), labels.shape, dtype=torch.long, generator=generator)
    inputs[random_ones] = words[random_ones]
    return inputs, labels
