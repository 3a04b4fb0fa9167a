"""Hidden checks of chapter 11: guessing masked words, the next token, and remembering."""

from functools import partial
from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.message import known, message_of
from ...candidate.seeds import generator_for
from ...marking.check import Reference, check
from ...marking.expect import STABLE, Wrong, again, agree, answers, gradients, untouched, wrong
from ...marking.inputs import between, far_apart, normal, one_large, sized
from ..misconceptions import key_value_cache, masked_language_model
from .check_masked_head import by_products, least_sizes


@check("next_token_loss", weight=3, essential=True)
def test_next_token(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """The mean of −log p(next token) over all positions that have a next token."""
    for batch, seq, vocab in ((3, 5, 7), (2, 6, 4), (1, 2, 5), (4, 3, 6), (3, 5, 7)):
        logits = normal(generator, batch, seq, vocab) * 2
        ids = torch.randint(vocab, (batch, seq), generator=generator)
        sizes = sized(batch=batch, seq=seq, vocab=vocab)
        answers(candidate, reference, logits, ids, sizes=sizes)
    again(candidate, logits, ids)
    answers(candidate, reference, logits, 0 * ids, what="Where every token has id 0")
    answers(candidate, reference, 0 * logits, ids, what="With logits of 0")
    some = logits.relu()
    answers(candidate, reference, some, ids, what="With logits of which some are 0")
    only = logits[..., :1], 0 * ids
    answers(candidate, reference, *only, what="With a vocabulary of one")
    many = normal(generator, 1, 3, 30_522), torch.tensor([[7, 30_521, 12_000]])
    answers(candidate, reference, *many, what="With a vocabulary like BERT's")


@check("next_token_loss", weight=2)
def test_next_token_apart(candidate: Candidate, generator: Generator) -> None:
    """The last logits and the first token of each sentence play no part."""
    logits, ids = normal(generator, 3, 4, 5), torch.randint(5, (3, 4), generator=generator)
    before = candidate(logits, ids)
    other = logits.clone()
    other[:, -1] += 3 * normal(generator, 3, 5)
    agree(candidate(other, ids), before, what="With other logits at the last position, the loss")
    other = ids.clone()
    other[:, 0] = (ids[:, 0] + 2) % 5
    agree(candidate(logits, other), before, what="With other first tokens, the loss")


@check("next_token_loss")
def test_next_token_stable(
    candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Large logits give neither inf nor nan, and a sure mistake costs what it should."""
    rows = [[1000.0, 1001.0, 0.0], [0.0, 1.0, 2.0], [1000.0, 0.0, -1000.0], [0.0, 0.0, 0.0]]
    for goals in ([2, 1, 0, 2], [0, 2, 2, 1]):
        logits = torch.tensor([rows]) + normal(generator, 1, 4, 3)
        answers(candidate, reference, logits, torch.tensor([goals]), tolerance=STABLE)
    beyond = far_apart(generator, 2, 4, 3)
    for goal in (beyond.argmax(-1), beyond.argmin(-1)):
        what = "With logits of tens of thousands"
        answers(candidate, reference, beyond, goal.roll(1, 1), tolerance=STABLE, what=what)
    for batch, seq in one_large(generator, 2, 3):
        logits = 90 * normal(generator, batch, seq, 3)
        ids = logits.argmax(-1).roll(1, 1)
        ids[-1, -1] = logits[-1, -2].argmin()
        what = f"With one mistake, the last, in {batch} sequences of {seq} tokens"
        answers(candidate, reference, logits, ids, what=what)


@check("next_token_loss")
def test_next_token_stays(candidate: Candidate, generator: Generator) -> None:
    """Logits and ids stay as they are, and may lie in memory in any way."""
    ids = torch.randint(5, (2, 4), generator=generator)
    untouched(candidate, normal(generator, 2, 4, 5), ids)


@check("next_token_loss")
def test_next_token_gradient(
    candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Gradients flow back to the logits, and are right."""
    logits, ids = normal(generator, 3, 4, 5), torch.randint(5, (3, 4), generator=generator)
    gradients(candidate, reference, logits, ids, generator=generator)
    gradients(candidate, reference, 300 * logits, ids, generator=generator)


def _updates(
    candidate: Candidate, parts: list[Any], between: list[Any] | None = None
) -> list[list[Tensor]]:
    """What each update gave back, found to be two tensors of the right shapes."""
    got = candidate.through("grader_cache", parts, between or [])
    if got["shared"]:
        raise wrong("A new cache does not start empty: it knows of what an older one was given.")
    length = 0
    for number, (answer, (key, _)) in enumerate(zip(got["parts"], parts, strict=True), 1):
        if not isinstance(answer, list) or len(answer) != 2:
            count = len(answer) if isinstance(answer, list) else 0
            raise wrong("update gives back {} parts; all keys and all values were expected.", count)
        length += key.shape[2]
        wanted = [*key.shape[:2], length, key.shape[3]]
        for name, part in zip(("keys", "values"), answer, strict=True):
            if not isinstance(part, Tensor):
                raise wrong("The {} that come back are no tensor.", known(name))
            if list(part.shape) != wanted:
                when = f"After update {number}, with {length} tokens so far, the {name}"
                shape = list(part.shape)
                raise wrong("{} have shape {}; {} was expected.", known(when), shape, wanted)
    if got["changed"]:
        raise wrong("After an update, the tensors that were handed over are no longer the same.")
    return [list(answer) for answer in got["parts"]]


@check("KeyValueCache", weight=3, essential=True, harness=key_value_cache.HARNESS)
def test_cache(candidate: Candidate, generator: Generator) -> None:
    """After each update, the keys and values of all tokens so far come back, oldest first."""
    for sizes, shape in (((1, 1, 1), (2, 3, 5)), ((4, 1, 2), (3, 2, 4)), ((2, 2), (2, 2, 2))):
        parts = key_value_cache.updates(generator, sizes, *shape)
        found = _updates(candidate, parts)
        for count, answer in enumerate(found, 1):
            for index, name in enumerate(("keys", "values")):
                expected = torch.cat([part[index] for part in parts[:count]], 2)
                agree(answer[index], expected, 1e-6, f"The {name} after update {count}")


@check("KeyValueCache", weight=2)
def test_cache_work(candidate: Candidate, generator: Generator) -> None:
    """Attention with it gives the numbers of attention without it, each token computed once."""
    for sizes in ((1,) * 7, (5, 1, 1, 1, 1), (1_030, *(1,) * 4)):
        seq = sum(sizes)
        hidden = normal(generator, 2, seq, 6)
        maps = [normal(generator, 6, 3, 4) * 0.5 for _ in range(3)]
        got = candidate.through("grader_write", hidden, maps, list(sizes))
        case = f"Attention to what comes back, {got['tokens']} tokens computed once each"
        agree(got["written"], key_value_cache.written(hidden, maps), 1e-4, case)


@check("KeyValueCache")
def test_cache_any(candidate: Candidate, generator: Generator) -> None:
    """Long texts, one sentence or head or 1,030, repeated and empty vectors, any precision."""
    draw = partial(key_value_cache.updates, generator)
    once = draw((2,), 1, 2, 3)
    zeros = [tuple(0 * part for part in once[0])]
    some = between(generator, 20, 70)
    cases = {
        "few tokens, then many at once": draw((1, some, 1, 298 - some), 1, 1, 2),
        "100 updates": draw((1,) * 100, 1, 1, 2),
        "thousands of tokens": draw((8_192, some, 1), 1, 1, 1),
        "a batch of 1": draw((1, 2, 1), 1, 3, 4),
        "one head": draw((1, 2, 1), 3, 1, 4),
        "one feature": draw((2, 1), 2, 2, 1),
        "every size 1": draw((1, 1), 1, 1, 1),
        "1,030 sentences": draw((2, 1), 1_030, 2, 1),
        "1,030 heads": draw((2, 1), 1, 1_030, 2),
        "1,030 features": draw((2, 1), 2, 1, 1_030),
        "the same tokens twice": once * 2,
        "one token twice": draw((1,), 1, 2, 3) * 2,
        "vectors of 0 first": [*zeros, *once],
        "vectors of 0 last": [*once, *zeros],
        "float64": [tuple(part.double() / 3 for part in pair) for pair in draw((1, 2))],
        "float16, 40 updates": [
            tuple(part.half() for part in pair) for pair in draw((1,) * 40, 1, 1, 2)
        ],
        "bfloat16 near 1e5": [
            tuple((1e5 * part).bfloat16() for part in pair) for pair in draw((1, 2))
        ],
    }
    for told, parts in cases.items():
        found = _updates(candidate, parts)[-1]
        for index, name in enumerate(("keys", "values")):
            expected = torch.cat([part[index] for part in parts], 2)
            agree(found[index], expected, 1e-12, f"With {told}: the {name}")


@check("KeyValueCache")
def test_caches_apart(candidate: Candidate, generator: Generator) -> None:
    """Two caches that are used in turns know nothing of each other."""
    one = key_value_cache.updates(generator, (2, 1, 3))
    other = key_value_cache.updates(generator, (3, 2, 1))
    found = _updates(candidate, one, other)
    agree(found[-1][0], torch.cat([key for key, _ in one], 2), 1e-6, "The keys")


@check("KeyValueCache")
def test_cache_old_answers(candidate: Candidate, generator: Generator) -> None:
    """What came back earlier stays as it was."""
    parts = key_value_cache.updates(generator, (2, 1, 1))
    first = _updates(candidate, parts)[0]
    for index, name in enumerate(("keys", "values")):
        agree(first[index], parts[0][index], 1e-6, f"The {name} of the first answer")


def _holds(candidate: Candidate, seed: int, *promises: tuple[str, str]) -> None:
    """What the model depends on is as it was promised: names of facts, and what breaks them."""

    def asked() -> list[Any]:
        generator = generator_for(seed, candidate.exercise, "facts")
        found = []
        for sizes in ({}, masked_language_model.OTHER_SIZES):
            args = masked_language_model.call(generator, **sizes)
            found.append(candidate.through("grader_masked_model", *args))
        return found

    models = candidate.once("facts", asked)
    for facts in models:
        if facts["form"]:
            raise Wrong(message_of(facts["form"]))
    for name, message in promises:
        if not all(facts.get(name, False) for facts in models):
            raise Wrong(known(message))


@check("MaskedLanguageModel", weight=3, essential=True, harness=masked_language_model.HARNESS)
def test_masked_model(candidate: Candidate, seed: int) -> None:
    """Each logit is the dot product of its position's vector with a piece's row of the table."""
    _holds(
        candidate,
        seed,
        ("encoder asked", "The encoder that was handed over is never asked."),
        ("follows the table", "When rows of the encoder's table change, no logit does."),
        ("no chances", "What comes back are chances; logits were promised."),
        ("no logarithms", "Logarithms of chances come back; logits were promised."),
        ("positions differ", "Every position gets the same scores."),
        ("each by itself", "The scores of a position hang on the vectors of others."),
        ("not scaled", "The dot products are divided by the root of hidden, as in attention."),
        ("products", "The scores of pieces are not dot products with their rows, plus a bias."),
        ("also of pieces that are read", "Pieces that the sentence has are scored otherwise."),
        ("alike in a crowd", "Among 60 sentences, one is not scored as it is among few."),
        ("alike in a long one", "Of 63 positions, one is not scored as it is of few."),
    )
    by_products(candidate, generator_for(seed, candidate.exercise, "products"))
    least_sizes(candidate)


@check("MaskedLanguageModel", weight=2)
def test_masked_model_tied(candidate: Candidate, seed: int) -> None:
    """The table is the encoder's own parameter: it learns by reading and by guessing."""
    _holds(
        candidate,
        seed,
        ("no other table", "There is a second matrix with a row for each piece."),
        (
            "tied once moved",
            "After model.double().float(), which moves the parameters to another place in memory, "
            "no logit follows the encoder's table.",
        ),
        ("gradient", "The logits have no way back: nothing can learn."),
        ("table learns by guesses", "A guess teaches its piece's row of the table nothing."),
        ("table learns by reading", "A guess teaches the pieces that were read nothing."),
        ("encoder still learns", "Parameters of the encoder no longer require a gradient."),
    )


@check("MaskedLanguageModel")
def test_masked_model_bias(candidate: Candidate, seed: int) -> None:
    """There is a bias for each piece, and it learns."""
    _holds(
        candidate,
        seed,
        ("bias", "A piece whose row is 0 always has the logit 0: where is its bias?"),
        ("bias for each", "All pieces have the same bias."),
        ("bias alone", "The logit of a piece whose row is 0 depends on the sentence."),
        ("all learn", "A parameter of the head learns nothing from the guesses."),
    )


@check("MaskedLanguageModel")
def test_masked_model_mask(candidate: Candidate, seed: int) -> None:
    """The mask reaches the encoder, of numbers or of True and False, and may be left out."""
    _holds(
        candidate,
        seed,
        ("mask handed on", "The encoder's answer is not the one that it gives with this mask."),
        ("bool mask", "A mask of True and False does something else than one of 1 and 0."),
        ("without a mask", "Without a mask, the encoder's answer is not the one it gives alone."),
    )


@check("MaskedLanguageModel")
def test_masked_model_holds(candidate: Candidate, seed: int) -> None:
    """The encoder's parameters are the model's, for an optimizer to find, and stay as they were."""
    _holds(
        candidate,
        seed,
        ("holds the encoder", "parameters() does not find all of the encoder's own parameters."),
        ("encoder as it was", "Once the model is made, the encoder has other numbers than before."),
    )
