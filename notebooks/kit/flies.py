"""Sentences where "flies" is a noun or a verb, and word order alone says which; knows no model."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor
from torch.nn import functional as F

LABELS = ("noun", "verb")

# Each word list fills one kind of slot. `act` words are verbs after "flies" and nouns after "the".
SLOTS: dict[str, tuple[str, ...]] = {
    "noun": (
        *("arrow", "banana", "bat", "bee", "bird", "crow", "eagle", "goose", "hawk", "kite"),
        *("moth", "owl", "pilot", "plane", "rocket", "saucer", "swan", "wasp", "witch", "wren"),
    ),
    "bare": ("fame", "hope", "laughter", "light", "money", "music", "news", "time"),
    "mod": ("cave", "deer", "fruit", "house", "horse", "moose", "river", "sand"),
    "adj": ("big", "blue", "cold", "green", "old", "quiet", "red", "small", "strange", "tired"),
    "act": (
        *("camp", "circle", "dance", "dream", "land", "march"),
        *("park", "play", "race", "rest", "sleep", "swarm"),
    ),
    "near": ("above", "around", "behind", "beyond", "near", "over", "past", "under"),
    "sees": ("chases", "draws", "fears", "finds", "follows", "hears", "sees", "wants"),
    "ends": ("changes", "fades", "goes", "returns", "shines", "stays", "trembles", "waits"),
    "when": ("after", "as", "because", "before", "until", "when", "where", "while"),
    "know": ("believe", "guess", "know", "notice", "read", "remember", "see", "think"),
    "later": ("again", "alone", "daily", "early", "later", "now", "today", "together"),
    "say": ("claim", "report", "said", "say", "tell", "thought", "told", "wrote"),
    "now": ("here", "maybe", "now", "once", "perhaps", "soon", "then", "today"),
    "article": ("a", "one", "that", "the", "this"),
}

# Twins: the same words in another order. In the first form "flies" is a noun, in the second a verb.
CLAUSES: tuple[tuple[str, str], ...] = (
    ("{mod} flies like {article} {noun}", "{article} {noun} flies like {mod}"),
    ("{mod} flies like {bare}", "{bare} flies like {mod}"),
    ("flies like {article} {noun} {bare}", "{bare} flies like {article} {noun}"),
    (
        "{mod} flies like {article} {noun} and {bare}",
        "{bare} flies like {article} {noun} and {mod}",
    ),
    ("the flies {act} {near} {article} {noun}", "{article} {noun} flies {near} the {act}"),
    ("the {mod} flies {act} {near} the {noun}", "the {noun} flies {near} the {mod} {act}"),
    ("the {adj} flies {act} {near} the {noun}", "the {noun} flies {near} the {adj} {act}"),
    ("{near} the {noun} the flies {act}", "{near} the {act} the {noun} flies"),
    ("the {noun} {sees} flies and {bare}", "the {noun} flies and {sees} {bare}"),
    ("{bare} {sees} {adj} flies and {mod}", "{bare} flies and {sees} {adj} {mod}"),
    ("{when} the flies {act} the {noun} {ends}", "{when} the {noun} flies the {act} {ends}"),
)
OPENINGS = ("{}", "{now} {}", "we {know} {}", "{now} we {know} {}")
ENDINGS = ("{}", "{} {later}", "{} they {say}")


def templates() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Every clause with every opening and ending; every fifth is held out, the others train."""
    twins = _combined(CLAUSES)
    kept = [twin for number, twin in enumerate(twins) if number % 5 != 4]
    return kept, twins[4::5]


@dataclass(frozen=True)
class Sentence:
    """A sentence, its label (0 = "flies" is a noun, 1 = a verb) and its template's number."""

    text: str
    label: int
    template: int


def generate(forms: Sequence[tuple[str, str]], count: int, seed: int) -> list[Sentence]:
    """Draw `count` distinct sentences (an even number), from all templates in turn, in twins.

    The twin has the same words in another order, and the other label. So both labels are equally
    frequent, and the words alone say nothing.
    """
    chance = random.Random(seed)
    found: dict[str, Sentence] = {}
    for attempt in range(10 * count):
        number = attempt % len(forms)
        words = {slot: chance.choice(choices) for slot, choices in SLOTS.items()}
        if words["article"] == "a" and words["noun"][0] in "aeiou":
            words["article"] = "an"
        noun, verb = (form.format(**words) for form in forms[number])
        if len(found) == count:
            return list(found.values())
        if noun not in found:
            found[noun], found[verb] = Sentence(noun, 0, number), Sentence(verb, 1, number)
    raise ValueError(f"these templates do not give {count} distinct sentences")


def training_set(count: int = 3000, seed: int = 0) -> list[Sentence]:
    """The sentences to train on."""
    return generate(templates()[0], count, seed)


def held_out_set(count: int = 1000, seed: int = 1) -> list[Sentence]:
    """The sentences to judge by: other templates, the same clauses, the same vocabulary."""
    return generate(templates()[1], count, seed)


def clauses_held_out(numbers: Sequence[int]) -> tuple[list[Sentence], list[Sentence]]:
    """3000 sentences to train on, and 600 built from clauses that never occur among them."""
    kept = [clause for number, clause in enumerate(CLAUSES) if number not in numbers]
    others = [CLAUSES[number] for number in numbers]
    return generate(_combined(kept), 3000, seed=0), generate(_combined(others), 600, seed=1)


def _combined(clauses: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Every clause with every opening and ending, as templates of twins."""
    twins = []
    for clause, opening, ending in product(clauses, OPENINGS, ENDINGS):
        noun, verb = (opening.replace("{}", ending.replace("{}", form)) for form in clause)
        twins.append((noun, verb))
    return twins


def vocabulary() -> dict[str, int]:
    """Every word of the grammar and BERT's special tokens, each with its id; [PAD] is 0."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    fixed = {"flies", "like", "and", "the", "an", "they", "we"}
    words = sorted(fixed.union(*SLOTS.values()))
    return {word: number for number, word in enumerate(special + words)}


def majority_accuracy(train: Sequence[Sentence], test: Sequence[Sentence]) -> float:
    """How often is the training set's most frequent label right on the test set?"""
    [(label, _)] = Counter(sentence.label for sentence in train).most_common(1)
    return sum(sentence.label == label for sentence in test) / len(test)


def word_before_accuracy(train: Sequence[Sentence], test: Sequence[Sentence]) -> float:
    """How often is the usual label of the word before "flies" right? Unseen words are nouns."""
    return _table_accuracy(train, test, (-1,))


def two_after_accuracy(train: Sequence[Sentence], test: Sequence[Sentence]) -> float:
    """The same for the two words after "flies", taken together."""
    return _table_accuracy(train, test, (1, 2))


def _table_accuracy(
    train: Sequence[Sentence], test: Sequence[Sentence], steps: Sequence[int]
) -> float:
    seen: dict[tuple[str, ...], Counter[int]] = {}
    for sentence in train:
        seen.setdefault(_beside_flies(sentence, steps), Counter())[sentence.label] += 1
    usual = {words: labels.most_common(1)[0][0] for words, labels in seen.items()}
    return sum(usual.get(_beside_flies(each, steps), 0) == each.label for each in test) / len(test)


def _beside_flies(sentence: Sentence, steps: Sequence[int]) -> tuple[str, ...]:
    """The words so many places after "flies"; empty beyond the sentence."""
    words = ["", *sentence.text.split(), "", ""]
    return tuple(words[words.index("flies") + step] for step in steps)


def bags(sentences: Sequence[Sentence], vocab: dict[str, int]) -> Tensor:
    """How often does each word occur in each sentence? [sentence, vocab], float"""
    counts = torch.zeros(len(sentences), len(vocab))
    for row, sentence in enumerate(sentences):
        for word in sentence.text.split():
            counts[row, vocab[word]] += 1
    return counts


def bag_of_words_accuracy(train: Sequence[Sentence], test: Sequence[Sentence]) -> float:
    """Train logistic regression on word counts, and say how often it is right on the test set."""
    vocab = vocabulary()
    weights = torch.zeros(len(vocab), len(LABELS), requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=0.1)
    inputs, labels = bags(train, vocab), torch.tensor([sentence.label for sentence in train])
    for _ in range(30):
        optimizer.zero_grad()
        F.cross_entropy(inputs @ weights, labels).backward()
        optimizer.step()
    predicted = (bags(test, vocab) @ weights).argmax(-1)
    return (predicted == torch.tensor([sentence.label for sentence in test])).float().mean().item()
