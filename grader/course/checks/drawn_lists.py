"""Draws lists of ids for chapter 01's padded batches; judges nothing."""

from random import Random

from .drawn import Case


def _ids(random: Random, count: int) -> list[int]:
    return [
        random.choice([random.randint(1, 30000), random.randint(65536, 250000)])
        for _ in range(count)
    ]


def batches(random: Random) -> list[Case]:
    """Lists of different lengths, the longest of them first, in the middle and last."""
    a, b, c = random.sample(range(1, 6), 3)
    lengths = [[a + b, b], [a, a + b + c, b], [b, c, a + b + c]]
    pads = random.randint(0, 99), random.randint(0, 99), -random.randint(1, 100)
    return [([_ids(random, n) for n in some], pad) for some, pad in zip(lengths, pads, strict=True)]


def with_pad_id(random: Random) -> list[Case]:
    """Lists in which the padding's id stands, in front, within and at the end."""
    cases: list[Case] = []
    for pad in (0, random.randint(1, 99), -1, -100):  # of which others stand for no id at all
        lists = [_ids(random, n) for n in random.sample(range(3, 8), 3)]
        lists[0][1] = lists[1][0] = lists[2][-1] = lists[2][1] = pad
        cases.append((lists, pad))
    return cases


def without_padding(random: Random) -> list[Case]:
    """A single list, lists of one length, and an empty list before, between and behind others."""
    size = random.randint(2, 5)
    pad = random.randint(0, 99)
    return [
        ([_ids(random, size)], pad),
        ([_ids(random, size) for _ in range(3)], pad),
        ([_ids(random, 1)], random.randint(100, 200)),
        *(
            ([_ids(random, n) for n in some], pad)
            for some in ([size, 0, size + 1], [0, size], [size, 0])
        ),
    ]


def long_lists(random: Random) -> list[Case]:
    """A list of many ids beside a short one, many lists, and ids that floats do not tell apart."""
    many = [_ids(random, random.randint(1, 2)) for _ in range(random.randint(1_025, 1_200))]
    near = random.choice([-1, 1])
    odd = 2**24 + 1 + 2 * random.randint(0, 1_000)
    return [
        ([_ids(random, 1) * random.randint(1_025, 1_200), _ids(random, 2)], 0),
        (many, 0),
        ([[2**24 + 1, 7, 2**24], [2**53 + 1]], 0),
        ([[3, 2**62 + near], [2**62]], 2**24 + near),
        ([[], [odd, odd + 2], [7]], 2**31 - 1),
    ]
