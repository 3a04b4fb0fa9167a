"""Little stories from a grammar of our own, and a judge of what others write; it knows no model.

A story is true when one hero, one thing and one helper run through it, when every *she* and *he*
means the hero, when the hero's try fits the place, and when the end follows: a helper brings the
thing only from a place that it can reach.
"""

import random
import re
from dataclasses import dataclass

from kit.words import folded

GIRLS = ("Mia", "Ada", "Zoe", "Lena")
BOYS = ("Tom", "Max", "Ben", "Ali")
HEROES = GIRLS + BOYS
SHE = {"they": "she", "them": "her", "their": "her"}
HE = {"they": "he", "them": "him", "their": "his"}
THINGS = ("kite", "ball", "hat", "drum", "lamp", "boat", "book", "cup")
HELPERS = {  # and what it can reach
    "hawk": "high", "crow": "high", "duck": "wet", "frog": "wet", "mouse": "narrow", "cat": "narrow"
}  # fmt: skip
PLACES = {  # how the hero tries, and what a helper has to reach
    "high in a tree": ("tried to climb", "high"),
    "on top of a tower": ("tried to jump", "high"),
    "across the river": ("tried to swim", "wet"),
    "under the lake": ("tried to dive", "wet"),
    "behind a wall": ("tried to dig", "narrow"),
    "deep in a cave": ("tried to crawl", "narrow"),
}
PARTS = (  # a story has one sentence of each, then an end
    (
        "{hero} lived by the sea .",
        "{hero} lived in a village .",
        "one morning {hero} woke up early .",
    ),
    (
        "{they} wanted a new {thing} .",
        "{they} had lost {their} {thing} .",
        "{they} dreamed of a {thing} .",
    ),
    ("but the {thing} was {place} .", "there was a {thing} {place} ."),
    ("{hero} {tried} , but it was too hard .", "{hero} {tried} and could not ."),
    ("then {they} sat down and cried .", "so {they} was sad and tired ."),
    ("a {helper} saw {them} .", "a {helper} came and looked at {them} ."),
    (
        '" help me , {helper} ! I need my {thing} , " {hero} said .',
        '" I want the {thing} , " {hero} told the {helper} .',
    ),
)
HAPPY = (
    "the {helper} brought the {thing} to {them} , and {hero} laughed .",
    "soon the {helper} had the {thing} , and {hero} was happy .",
)
SAD = (
    "the {helper} could not get the {thing} , and {hero} went home .",
    "but the {helper} could not help , and {hero} went home without the {thing} .",
)
PRONOUNS = {*SHE.values(), *HE.values()}


@dataclass(frozen=True)
class Facts:
    """What a story is about."""

    hero: str
    thing: str
    place: str
    helper: str

    @property
    def is_happy(self) -> bool:
        """Whether this helper reaches this place."""
        return HELPERS[self.helper] == PLACES[self.place][1]

    def words(self) -> dict[str, str]:
        """What stands in the gaps of the sentences."""
        tried, _ = PLACES[self.place]
        return vars(self) | {"tried": tried} | (SHE if self.hero in GIRLS else HE)


def tell(facts: Facts, chance: random.Random) -> str:
    """One true story; its words and signs are parted by spaces."""
    parts = (*PARTS, HAPPY if facts.is_happy else SAD)
    return " ".join(chance.choice(part).format(**facts.words()) for part in parts)


def stories(count: int, seed: int = 1) -> list[str]:
    """Many true stories, the same for the same seed on every machine."""
    chance = random.Random(seed)
    kinds = (HEROES, THINGS, tuple(PLACES), tuple(HELPERS))
    return [tell(Facts(*map(chance.choice, kinds)), chance) for _ in range(count)]


def judge(story: str) -> dict[str, bool | None]:
    """What is right about a story, told or written by anybody; None = nothing to be right about.

    returns: "its hero", "its thing", "its helper": it is named again, and no other is; None where
             none is named again; "she and he": every pronoun means the first hero; None without
             pronouns; "grammar": each sentence is one of its part, in order; "the end follows":
             one thing at one place, and an end that this helper makes; None without grammar
    """
    words = story.split()
    kinds = {"its hero": HEROES, "its thing": THINGS, "its helper": HELPERS}
    named = {what: [word for word in words if word in kind] for what, kind in kinds.items()}
    said, heroes = PRONOUNS & set(words), named["its hero"]
    own = set((SHE if heroes[:1] and heroes[0] in GIRLS else HE).values())
    gaps = _gaps(story)
    return {
        "its hero": _is_kept(heroes),
        "she and he": bool(heroes) and said <= own if said else None,
        "its thing": _is_kept(named["its thing"]),
        "its helper": _is_kept(named["its helper"]),
        "grammar": gaps is not None,
        "the end follows": None if gaps is None else _follows(gaps, "went home" not in story),
    }


def tally(written: list[str], what: str) -> tuple[int, int]:
    """In how many stories this is right, and in how many it could be."""
    found = [right for story in written if (right := judge(story)[what]) is not None]
    return sum(found), len(found)


def always_sad(written: list[str]) -> int:
    """In how many stories with grammar the end would follow if all of them ended sadly."""
    return sum(_follows(gaps, is_happy=False) for gaps in map(_gaps, written) if gaps)


def readable(story: str) -> str:
    """The story as one would print it, in lines."""
    text = re.sub(r" ([.,!?])", r"\1", story)
    text = re.sub(r'" (.*?) "', r'"\1"', text)
    return folded(re.sub(r'(^|[.] )("?)([a-z])', lambda found: found[0].upper(), text))


def _gaps(story: str) -> dict[str, list[str]] | None:
    """What stands in each kind of gap, or None where a sentence is none of its part."""
    kinds = {
        "hero": HEROES, "thing": THINGS, "helper": HELPERS, "place": PLACES,
        "tried": [tried for tried, _ in PLACES.values()],
        "they": ("she", "he"), "them": ("her", "him"), "their": ("her", "his"),
    }  # fmt: skip
    found: dict[str, list[str]] = {kind: [] for kind in kinds}
    rest = story
    for part in (*PARTS, HAPPY + SAD):
        for sentence in part:
            pattern = re.escape(sentence).replace(r"\{", "{").replace(r"\}", "}")
            names = re.findall(r"{(\w+)}", sentence)
            for kind, choices in kinds.items():
                pattern = pattern.replace("{" + kind + "}", f"({'|'.join(choices)})")
            if match := re.match(pattern + r"(?: |$)", rest):
                for name, word in zip(names, match.groups(), strict=True):
                    found[name].append(word)
                rest = rest[match.end() :]
                break
        else:
            return None
    return None if rest else found


def _is_kept(named: list[str]) -> bool | None:
    return len(set(named)) == 1 if len(named) > 1 else None


def _follows(gaps: dict[str, list[str]], is_happy: bool) -> bool:
    """Whether the try fits the place, and this end fits place and helper."""
    (place,), (tried,) = gaps["place"], gaps["tried"]
    fits, asked = PLACES[place]
    return tried == fits and is_happy == (HELPERS[gaps["helper"][-1]] == asked)
