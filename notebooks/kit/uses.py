"""Words that can be a noun or a verb, as lessons, exam and batches; it knows no model.

Texts become ids by the learner's own exercises.
"""

import math
import random
from collections import Counter
from collections.abc import Callable

import torch
from torch import Tensor

from kit import earlier
from kit.texts import Use, verb_or_noun

Split = Callable[[str], list[str]]
Features = Callable[[Use, Split], list[str]]
AT_ONCE = 50  # sentences in a batch
# A word as a verb and as a noun: two sentences or phrases of five words, the word second in both.
PAIRS = (
    ("time flies like an arrow", "fruit flies like a banana"),
    ("we watch the birds sing", "my watch is too slow"),
    ("they walk to the school", "a walk to the school"),
    ("we plan a long trip", "her plan is too long"),
    ("i call my old mother", "the call was too short"),
    ("dogs bark all night long", "the bark is very thick"),
    ("they fish in the river", "the fish in the river"),
    ("we sail to the island", "one sail of the ship"),
    ("they hammer on the door", "the hammer on the table"),
    ("you park the car here", "the park is very green"),
    ("they dance all night long", "the dance was very slow"),
    ("you water the plants daily", "the water is very cold"),
    ("they fight for their money", "the fight for the money"),
    ("we love the blue sea", "her love was very deep"),
    ("children play in the garden", "the play in the theatre"),
    ("they judge the old man", "the judge was very old"),
    ("you cook the rice well", "the cook was very tired"),
    ("we paint the old door", "the paint was still wet"),
    ("they dream of much gold", "a dream of much gold"),
    ("you book a cheap room", "the book was very cheap"),
)


def characters(use: Use) -> int:
    """How long the sentence is."""
    return len(use.sentence)


def pieces(vocab: dict[str, int]) -> Callable[[Use], int]:
    """The same length in pieces."""
    encode = earlier.encode
    return lambda use: len(encode(use.sentence, None, vocab)["input_ids"])


def lessons_and_exam(
    lessons: int = 1000,
    exam: int = 400,
    longest: float = math.inf,
    length: Callable[[Use], int] = characters,
) -> tuple[list[Use], list[Use]]:
    """Sentences that teach, and sentences of sixty other words that ask.

    longest: in characters
    length:  short sentences go first, and so with short ones: less padding
    """
    uses, chance = verb_or_noun(), random.Random(0)
    held_out = set(chance.sample(sorted({use.word for use in uses}), 60))
    uses = [use for use in uses if characters(use) <= longest]
    chance.shuffle(uses)
    teach = [use for use in uses if use.word not in held_out][:lessons]
    ask = [use for use in uses if use.word in held_out][:exam]
    return sorted(teach, key=length), sorted(ask, key=length)


def labels_of(uses: list[Use]) -> Tensor:
    """0 = a noun, 1 = a verb: [uses], long."""
    return torch.tensor([use.label for use in uses])


def batches(uses: list[Use], vocab: dict[str, int]) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Ids and mask [batch, seq], and where the word's first piece stands, [batch]."""
    groups = [uses[first : first + AT_ONCE] for first in range(0, len(uses), AT_ONCE)]
    return [(*_padded(group, vocab), _places(group, vocab)) for group in groups]


def neighbour_rows(uses: list[Use], vocab: dict[str, int], table: Tensor) -> Tensor:
    """The rows of the pieces right before and right after each word: [uses, 2, hidden].

    table: [vocab, hidden]
    """
    found = []
    for ids, _, at in batches(uses, vocab):
        row = torch.arange(len(at))
        found.append(torch.stack([table[ids[row, at + step]] for step in (-1, 1)], dim=1))
    return torch.cat(found)


def _padded(uses: list[Use], vocab: dict[str, int]) -> tuple[Tensor, Tensor]:
    encode = earlier.encode
    rows = [encode(use.sentence, None, vocab)["input_ids"] for use in uses]
    ids, mask = earlier.pad_batch(rows, vocab["[PAD]"])
    return ids, mask


def _places(uses: list[Use], vocab: dict[str, int]) -> Tensor:
    split, pieces = earlier.split_words, earlier.wordpiece_tokenize
    before = [split(use.sentence[: use.start]) for use in uses]
    counts = [[len(pieces(word, vocab)) for word in words] for words in before]
    return torch.tensor([1 + sum(found) for found in counts])


def whole_sentence(use: Use, split: Split) -> list[str]:
    """All words of the sentence, without the one that is asked about."""
    return [word for word in split(use.sentence) if word != use.word.lower()]


def neighbours(use: Use, split: Split) -> list[str]:
    """The word before and the word after."""
    before = ["^", *split(use.sentence[: use.start])][-1]
    after = [*split(use.sentence[use.start + len(use.word) :]), "$"][0]
    return ["before " + before, "after " + after]


def naive_bayes(features: Features, teach: list[Use], exam: list[Use]) -> float:
    """Count each feature with verbs and with nouns; the share of the exam that comes out right."""
    return sum(right_by_counts(features, teach, exam).tolist()) / len(exam)


def right_by_counts(features: Features, teach: list[Use], exam: list[Use]) -> Tensor:
    """Which uses of the exam come out right by such counts: [exam], 1 or 0."""
    split = earlier.split_words  # each look at `earlier` asks whether a notebook was saved
    seen = Counter((use.label, feature) for use in teach for feature in features(use, split))
    right = []
    for use in exam:
        score = sum(math.log((seen[1, f] + 1) / (seen[0, f] + 1)) for f in features(use, split))
        right.append((score > 0) == (use.label == 1))
    return torch.tensor(right).float()


def chance_of_words(right: Tensor, exam: list[Use]) -> float:
    """How far the mean moves when the exam's words are drawn again: one standard deviation.

    right: [exam], what each use counts: 1 or 0, or a difference of such
    """
    words = sorted({use.word for use in exam})
    at = torch.tensor([words.index(use.word) for use in exam])
    sums, sizes = torch.bincount(at, right), torch.bincount(at)  # [word]
    chance = torch.Generator().manual_seed(0)
    drawn = torch.randint(len(words), (3000, len(words)), generator=chance)
    return float((sums[drawn].sum(1) / sizes[drawn].sum(1)).std())
