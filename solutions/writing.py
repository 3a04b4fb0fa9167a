"""Chapter 11: what BERT was trained on, what a model that writes is trained on, and writing."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from solutions.classification_head import TransformerEncoder, cross_entropy
from solutions.feed_forward import gelu
from solutions.layer_norm import LayerNorm

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
NO_GOAL = -100  # the label of a position at which nothing is to be guessed


def mask_tokens(
    input_ids: Tensor, vocab: dict[str, int], generator: torch.Generator, rate: float = 0.15
) -> tuple[Tensor, Tensor]:
    """Hide some tokens, for a model to guess them: BERT's 80/10/10.

    Every token is chosen with chance rate, each by itself; the five special tokens [PAD] [UNK]
    [CLS] [SEP] [MASK] are never chosen. A chosen token becomes, by chances of its own, [MASK] (0.8)
    or a piece drawn evenly from the vocabulary (0.1), or it stays as it is (0.1); whether special
    tokens, or the token itself, are drawn as well is up to you. All the others stay. Chance comes
    from the generator alone. The input stays as it is.

    input_ids: [batch, seq], long
    vocab:     piece → id, the ids from 0 to len(vocab) − 1, the five special tokens among them
    generator: where all random numbers come from: the same state, the same answer
    rate:      a float from 0 to 1
    returns:   masked, [batch, seq], long; labels, [batch, seq], long: the right id where a token
               was chosen, −100 elsewhere

    Source: Devlin et al. 2019, "BERT", section 3.1 and appendix A.1.
    """
    special = torch.tensor([vocab[piece] for piece in SPECIAL])
    chosen = torch.rand(input_ids.shape, generator=generator) < rate
    chosen = chosen & ~torch.isin(input_ids, special)  # [batch, seq]
    fate = torch.rand(input_ids.shape, generator=generator)
    other = torch.randint(len(vocab), input_ids.shape, generator=generator)
    masked = input_ids.masked_fill(chosen & (fate < 0.8), vocab["[MASK]"])
    masked = torch.where(chosen & (fate >= 0.9), other, masked)
    return masked, input_ids.masked_fill(~chosen, NO_GOAL)


class MaskedLanguageModel(nn.Module):
    """Guess the piece at every position: an encoder, and its own token table once more.

    Tied weights: the logit of a piece is the dot product of the position's vector with the piece's
    row of the encoder's token table, the very parameter and no copy, plus a bias that learns, one
    number for each piece. They stay tied when the model is moved or cast. Between the encoder and
    the table stands what BERT has there, a linear map hidden → hidden with bias, GELU and
    LayerNorm, in this order; or nothing, as you like. Which GELU and ε, a dropout there, and how
    the bias starts are up to you. Behind the encoder, each position is treated by itself. What
    comes out are logits: no softmax.

    Source: Press and Wolf 2017, "Using the output embedding", for the tied weights; Devlin et al.
    2019, "BERT", and its published code.
    """

    def __init__(self, encoder: TransformerEncoder) -> None:
        """Keep the encoder, which learns too, with the numbers that it has; create the rest.

        encoder: your TransformerEncoder; encoder(input_ids, mask) gives [batch, seq, hidden]. Its
                 token table has the name that you gave it in Embeddings: in the reference it is
                 encoder.embeddings.token.weight, [vocab, hidden]
        """
        super().__init__()
        self.encoder = encoder
        vocab_size, hidden_size = encoder.embeddings.token.weight.shape
        self.transform = nn.Linear(hidden_size, hidden_size)
        self.norm = LayerNorm(hidden_size)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        """Score every piece of the vocabulary at every position.

        input_ids: [batch, seq], long
        mask:      the attention mask [batch, seq]; bool or 0/1 integers, 1 = a token, 0 = padding,
                   never a whole row; None = all are tokens, id 0 too
        returns:   [batch, seq, vocab]
        """
        hidden = self.encoder(input_ids, mask)  # [batch, seq, hidden]
        hidden = self.norm(gelu(self.transform(hidden)))
        table = self.encoder.embeddings.token.weight  # [vocab, hidden]
        return hidden @ table.T + self.bias  # [batch, seq, vocab]


def next_token_loss(logits: Tensor, input_ids: Tensor) -> Tensor:
    """How surprised is the model by each next token? The mean of −log p(next token).

    The logits at a position are for the token at the position after it. So the last logits and the
    first token of a sequence play no part, and sequences stay apart. The mean is over all
    batch · (seq − 1) guesses. Stable, like cross_entropy; gradients flow through it. Logits and ids
    stay as they are. Your cross_entropy is welcome, and so is a ready-made one.

    logits:    [batch, seq, vocab], float, from −50000 to 50000
    input_ids: [batch, seq], long, seq at least 2; nothing is padded
    returns:   a tensor without dimensions
    """
    guesses, goals = logits[:, :-1], input_ids[:, 1:]  # [batch, seq − 1, vocab], [batch, seq − 1]
    return cross_entropy(guesses.flatten(0, 1), goals.flatten())


def sample(
    logits: Tensor,
    generator: torch.Generator,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Tensor:
    """Draw a token for each row, by its chances.

    In this order: the logits are divided by the temperature; with top_k, only the k largest stay;
    with top_p, only the likeliest of these stay, the fewest whose chances together reach top_p (the
    chances of what top_k left sum to 1). What does not stay is never drawn; what stays is drawn by
    its share. Each row is drawn by itself. Chance comes from the generator alone. Large logits give
    no nan, and −inf means never. The logits stay as they are.

    logits:      [batch, vocab], float, from −10³⁰ to 10³⁰ (beyond 10⁴ once they are divided, equal
                 and near ones may share unevenly) or −inf, but no row of −inf alone; may require
                 gradients
    generator:   where all random numbers come from: the same state, the same answer
    temperature: at least 0.001; small = surer, large = more even
    top_k:       at least 1; None, or more than there are = all stay; of equal logits at the edge
                 any may stay, or all
    top_p:       above 0, up to 1; None = all stay; at least one token always stays; of equal ones
                 at the edge any may stay, or all; where top_p is met exactly, one more may stay
    returns:     [batch], long

    Source: Fan et al. 2018, "Hierarchical neural story generation", for top-k; Holtzman et al.
    2020, "The curious case of neural text degeneration", for top-p.
    """
    scores, order = (logits / temperature).sort(dim=-1, descending=True)  # [batch, vocab]
    chances = scores.softmax(dim=-1)
    if top_k is not None:
        chances[:, top_k:] = 0
        chances = chances / chances.sum(dim=-1, keepdim=True)
    if top_p is not None:
        before = chances.cumsum(dim=-1) - chances  # what the likelier ones have together
        chances = chances.masked_fill(before >= top_p, 0)
    place = torch.multinomial(chances, 1, generator=generator)  # [batch, 1]
    return order.gather(-1, place).squeeze(-1)


class KeyValueCache:
    """Remembers the keys and values of all tokens so far, so that each is computed once.

    A model that writes hands over the keys and values of its new tokens alone, and attends to all
    that come back: the same numbers as if it had computed them all anew. Every cache remembers for
    itself, and starts empty. It takes one token or many, in any precision, which stays what it was.
    A key or value of zeros, or one that came before, is remembered like any other. All calls of one
    cache are for one batch, in one precision and one gradient mode. Nobody changes what was handed
    over or came back: neither need be copied. Whether gradients flow is up to you: it is used for
    writing alone.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.key: Tensor | None = None
        self.value: Tensor | None = None

    def update(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Remember the new tokens, and give back everything so far, oldest first.

        key:     [batch, heads, new, head_dim], of the new tokens: one, or several at once
        value:   [batch, heads, new, head_dim]; both stay as they are, and may require gradients
        returns: all keys and all values so far, each [batch, heads, seq, head_dim]; they stay as
                 they are when later tokens come
        """
        if self.key is not None and self.value is not None:
            key = torch.cat((self.key, key), dim=2)
            value = torch.cat((self.value, value), dim=2)
        self.key, self.value = key, value
        return key, value


def spot_writing(candidate: Callable[[Tensor, Tensor], Tensor]) -> bool:
    """Find the mistake: is this implementation of next_token_loss right?

    candidate(logits, input_ids) promises what next_token_loss promises: the mean over all next
    tokens, a tensor without dimensions, its inputs left as they are. You need no implementation of
    your own to judge it. What may change in the input without changing the loss? What must the loss
    be where the model has no idea, and where it is sure? Every right formulation must get through:
    rounding differs by about 1e-6 of the largest logit. A candidate that raises an error is wrong.
    Value, shape and untouched inputs count; none is wrong in gradients or dtype alone.

    candidate: logits [batch, seq, vocab] and input_ids [batch, seq] → a tensor without dimensions
    returns:   True where the candidate behaves correctly, False where it has a mistake
    """
    ids = torch.tensor([[4, 0, 2, 2, 1, 3], [1, 3, 0, 4, 4, 0], [2, 4, 1, 0, 3, 1]])
    logits = torch.randn(3, 6, 7, generator=torch.Generator().manual_seed(11))
    other_end, other_start = logits.clone(), ids.clone()
    other_end[:, -1] += torch.arange(7.0)  # no token comes after these logits
    other_start[:, 0] = (ids[:, 0] + 2) % 7  # nothing is asked about the first token
    sure = 300 * nn.functional.one_hot(ids.roll(-1, dims=1), 7).float()
    wrong_once = torch.zeros(5, 3, 6, 7)  # sure and wrong at one position, no idea at the others
    for place in range(5):
        wrong_once[place, :, place] = -sure[:, place]
    once = torch.tensor((4 * math.log(7) + 300 + math.log(6)) / 5)
    try:
        given = logits.clone(), ids.clone()
        loss = candidate(*given)
        kept = torch.equal(given[0], logits) and torch.equal(given[1], ids)
        apart = torch.stack([candidate(logits[i : i + 1], ids[i : i + 1]) for i in range(3)])
        pairs = [
            (apart.mean(), loss),
            (candidate(other_end, ids), loss),
            (candidate(logits, other_start), loss),
            (candidate(torch.zeros(3, 6, 7), ids), torch.tensor(math.log(7))),  # no idea
            (candidate(sure, ids), torch.tensor(0.0)),
            (candidate(-sure, ids), torch.tensor(300 + math.log(6))),  # sure, and wrong
            *((candidate(logits, ids), once) for logits in wrong_once),
        ]
        right = all(torch.allclose(found, expected, 1e-5, 1e-4) for found, expected in pairs)
        return kept and right and loss.shape == ()
    except Exception:
        return False
