# right: as in the data collator of transformers: three bernoullis
import torch


def mask_tokens(input_ids, vocab, generator, rate=0.15):
    inputs, labels = input_ids.clone(), input_ids.clone()
    probability_matrix = torch.full(labels.shape, rate)
    special_tokens_mask = torch.zeros_like(labels, dtype=torch.bool)
    for piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"):
        special_tokens_mask |= labels == vocab[piece]
    probability_matrix.masked_fill_(special_tokens_mask, value=0.0)
    masked_indices = torch.bernoulli(probability_matrix, generator=generator).bool()
    labels[~masked_indices] = -100

    indices_replaced = torch.bernoulli(torch.full(labels.shape, 0.8), generator=generator).bool() & masked_indices
    inputs[indices_replaced] = vocab["[MASK]"]

    indices_random = (
        torch.bernoulli(torch.full(labels.shape, 0.5), generator=generator).bool()
        & masked_indices
        & ~indices_replaced
    )
    random_words = torch.randint(len(vocab), labels.shape, generator=generator, dtype=torch.long)
    inputs[indices_random] = random_words[indices_random]
    return inputs, labels
