"""mask_tokens seen through the shares of many; knows no model and no wrong turn."""

from typing import Any

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe
from .sample import dependence

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
# Runs beside the learner's code: asks it three times, twice from the same state of chance.
HARNESS = """
import torch as grader_torch


def grader_mask_tokens(input_ids, vocab, rate, seed):
    given = () if rate is None else (rate,)
    answers = []
    generator = grader_torch.Generator()
    for start, elsewhere in ((seed, 1), (None, 2), (seed, 3)):
        if start is not None:
            generator = grader_torch.Generator().manual_seed(start)
        grader_torch.default_generator.manual_seed(elsewhere)
        ids = input_ids.clone()  # lies in memory as they do
        answer = mask_tokens(ids, dict(vocab), generator, *given)
        pair = answer if isinstance(answer, (tuple, list)) else [answer]
        answers.append([*pair, ids])
    return answers
"""
_SOME = 10  # chosen tokens, of which hardly ever all become [MASK]
_PLENTY = 15  # draws for each piece, of which hardly ever one is never drawn
_KINDS = 5  # of as many pieces each
FEW, MANY = 0.15, 0.5  # the default rate, and one at which more is to be seen


def shares(input_ids: Tensor, vocab: dict[str, int], rate: float | None, answers: Any) -> Any:
    """What became of the tokens, in shares; a sentence where that cannot be said."""
    wrong = formed(input_ids, answers)
    if wrong:
        return wrong
    (masked, labels, kept), (further, further_labels, _), (again, again_labels, _) = answers
    labelled = labels != -100
    special = torch.isin(input_ids, torch.tensor([vocab[piece] for piece in SPECIAL]))
    word, mask = ~special, vocab["[MASK]"]
    taken = labelled & word
    other = taken & (masked != input_ids) & (masked != mask)
    found = _share(labelled, word)
    drawn = masked[other]
    many = len(drawn.unique()) > 3
    hidden = taken & (masked == mask)
    wanted = int(word.sum()) * (FEW if rate is None else rate)
    is_free = _spread(taken, word, found) > 0.4
    exact = (abs(int((each != -100).sum()) - wanted) <= 1 for each in (labels, further_labels))
    form: dict[str, Any] = {
        "a number for each": is_free,
        "to the word": is_free and all(exact),  # by chance, once in some thousand times
        "every word": bool(torch.isin(input_ids[word], input_ids[taken]).all()),
        "alike in all sentences": _by_place(taken, word, found),
        "the first ones": bool(taken[:, : input_ids.shape[1] // 3].sum() > 0.8 * taken.sum()),
        "fates differ": _differ(hidden, taken, 1) and _differ(hidden, taken, 0),
        "all pieces": _all_drawn(drawn, vocab),
        "the same again": torch.equal(masked, again) and torch.equal(labels, again_labels),
        "moves on": not torch.equal(masked, further),
        "input kept": torch.equal(kept, input_ids),
    }
    if form["alike in all sentences"]:  # then shares are those of a single row: too few to compare
        return form
    return {
        "chosen": found,
        "chosen special": tuple(_share(labelled, input_ids == vocab[piece]) for piece in SPECIAL),
        "label is right": _share(labels == input_ids, taken),
        "other labels": _share(labels == -100, ~labelled),
        "as [MASK]": _share(masked == mask, taken),
        "as it was": _share(masked == input_ids, taken),
        "not chosen as it was": _share(masked == input_ids, ~labelled),
        "many pieces": many,
        "of the upper half": many and bool((drawn >= len(vocab) // 2).sum() > 0.2 * len(drawn)),
        **form,
    }


def formed(input_ids: Tensor, answers: Any) -> str:
    """What is wrong with the form of an answer; empty where it is two tensors like the ids."""
    if not isinstance(answers, (list, tuple)) or len(answers) != 3:
        return "no answers"
    for answer in answers:
        if not isinstance(answer, (list, tuple)) or len(answer) != 3:
            count = len(answer) - 1 if isinstance(answer, (list, tuple)) else 0
            return f"It returns {count} part{'s' * (count != 1)}; two tensors were expected."
        for name, part in zip(("masked", "labels"), answer, strict=False):
            if not isinstance(part, Tensor) or part.shape != input_ids.shape:
                found = list(part.shape) if isinstance(part, Tensor) else type(part).__name__
                return f"{name} is {found}; a tensor {list(input_ids.shape)} was expected."
            if part.dtype != torch.int64:
                return f"{name} has dtype {part.dtype}; long ids were expected."
    return ""


def _spread(taken: Tensor, word: Tensor, share: float) -> float:
    """How much the number of chosen words varies between sentences; 1 where each is drawn alone."""
    count = taken.sum(-1) - share * word.sum(-1)
    return float(count.var() / (_variance(share) * word.sum(-1).float().mean()))


def together(input_ids: Tensor, vocab: dict[str, int], answers: Any) -> dict[str, bool]:
    """Whether choices, fates and pieces of some tokens tell of those of others, one by one.

    Two answers of the three are looked at, as the third repeats the first.
    """
    answers = answers[:2]
    masked, labels = (torch.stack([each[part] for each in answers]) for part in (0, 1))
    word = ~torch.isin(input_ids, torch.tensor([vocab[piece] for piece in SPECIAL]))
    taken = (labels != -100) & word
    is_mask, is_kept = masked == vocab["[MASK]"], masked == input_ids
    pieces = masked.clamp(0, len(vocab) - 1) * _KINDS // len(vocab)
    return {
        "chosen together": _pairs_tell(taken.long(), word.expand_as(taken), 2)
        or _spread(taken[0], word, _share(taken[0], word)) > 2.2,
        "fates together": _pairs_tell(is_mask + 2 * is_kept, taken, 3),
        "pieces together": _pairs_tell(pieces, taken & ~is_mask & ~is_kept, _KINDS),
    }


def _pairs_tell(kind: Tensor, there: Tensor, kinds: int) -> bool:
    """Whether the kind at one place tells of that at another, [call, sentence, token].

    The other is in the next call, or a few or half of all sentences or tokens away. By chance
    that is so less than once in 10⁹ marks: pairs that are too few for it are left out.
    """
    free = (kinds - 1) ** 2
    limit = free + 8 * (2 * free) ** 0.5 + 64
    halves = {axis: kind.shape[axis] // 2 for axis in (1, 2)}
    lags = [(a, lag) for a, half in halves.items() for lag in (1, 2, 3, half, half + 1)]
    of_kind = torch.stack([there & (kind == each) for each in range(kinds)]).float()
    for axis, lag in ((0, 1), *lags):
        size = kind.shape[axis] - lag
        one, other = (of_kind.narrow(axis + 1, start, size).flatten(1) for start in (0, lag))
        pairs = one @ other.T
        if pairs.sum() >= 4 * kinds**2 and dependence(pairs) > limit:
            return True
    return False


def _by_place(taken: Tensor, word: Tensor, share: float) -> bool:
    """Whether some places are chosen far more often than others, over all sentences."""
    words = word.sum(0).float()
    full = words > len(word) / 2
    columns = (taken.sum(0) / words)[full]
    return bool(columns.var() > 8 * _variance(share) / words[full].mean())


def _variance(share: float) -> float:
    """Of one draw with this chance; of none or all it is not quite 0."""
    return max(share * (1 - share), 1e-6)


def _all_drawn(drawn: Tensor, vocab: dict[str, int]) -> bool:
    """Whether each ordinary piece is drawn; so it is taken to be where too few are to tell."""
    usual = torch.arange(len(vocab))
    usual = usual[~torch.isin(usual, torch.tensor([vocab[piece] for piece in SPECIAL]))]
    return len(drawn) < _PLENTY * len(vocab) or bool(torch.isin(usual, drawn).all())


def _differ(hidden: Tensor, taken: Tensor, axis: int) -> bool:
    """Whether the chosen tokens of one sentence, or of one place, become different things."""
    counts, hidden = taken.sum(axis), hidden.sum(axis)
    alike = (hidden == 0) | (hidden == counts)
    return _share(alike, counts >= _SOME) < 0.5


def _share(part: Tensor, of: Tensor) -> float:
    count = int(of.sum())
    return float((part & of).sum()) / count if count else 0.0


def sentences(generator: Generator, batch: int, seq: int, size: int) -> tuple[Tensor, Any]:
    """Ids of the lower half of a vocabulary, with special tokens at the ends and in between."""
    order = torch.randperm(size // 2, generator=generator).tolist()
    names = [("piece{}", "##{}", "{}")[number % 3].format(number) for number in range(size)]
    for piece, place in zip((*SPECIAL, "[unused7]"), order, strict=False):  # BERT has such a word
        names[place] = piece
    numbers = torch.randperm(size, generator=generator).tolist()  # ids in no order
    vocab = {names[number]: number for number in numbers}
    words = torch.tensor([v for v in range(size // 2) if names[v] not in SPECIAL])
    ids = words[torch.randint(len(words), (batch, seq), generator=generator)]
    ids[:, 0] = vocab["[CLS]"]
    end, place = torch.linspace(seq // 2, seq - 2, batch).long()[:, None], torch.arange(seq)
    ids[place == end], ids[place > end] = vocab["[SEP]"], vocab["[PAD]"]
    ids[::3, 2], ids[::4, 3] = vocab["[UNK]"], vocab["[MASK]"]
    return ids, vocab


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Many sentences, with half of the tokens chosen, with the usual share, and with all."""

    def probe(rate: float | None, batch: int, seq: int) -> Probe:
        seed = int(torch.randint(10**6, (), generator=generator))
        return Probe((*sentences(generator, batch, seq, 60), rate, seed))

    return probe(MANY, 120, 130), probe(None, 200, 150), probe(1.0, 60, 90)


def _seen(probe: Probe, answers: Any) -> Any:
    """What is compared of an answer: where half are chosen, what hangs together as well."""
    ids, vocab, rate, _ = probe.args
    found = shares(ids, vocab, rate, answers)
    if rate != MANY or isinstance(found, str):
        return found
    return {**found, **together(ids, vocab, answers)}


SUBJECTS = (
    FunctionSubject(
        "mask_tokens",
        probes,
        entry="grader_mask_tokens",
        harness=HARNESS,
        tolerance=0.04,
        view=_seen,
    ),
)
