"""Inputs of wordpiece_tokenize that tell its wrong turns apart; it has no formula."""

from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe

_PIECES = (
    "[UNK] un want ##want ##ed able ##able a ##a ab abc ##cd hug hu ##gs ##s ##ing é ##é ##x x ##n "
    "play ##ing ##play ##er er ed ##e ##d Able s"
)
VOCAB = {piece: index for index, piece in enumerate(dict.fromkeys(_PIECES.split()))}
VOCAB |= {"a" * 60: 500, "##" + "a" * 40: 501, "b" * 50: 502, "##" + "b" * 51: 503}


def wordpiece_probes(generator: Generator) -> tuple[Probe, ...]:
    """Words of one to four pieces, unknown ones, long ones, and the two options."""
    words = ["able", "a", "hugs", "unwanted", "unwantedable", "unable", "abcd", "ing", "playing"]
    words += ["unwantedX", "Xunwanted", "unXXed", "X", "Able", "player", "é", "aé", "playeding"]
    words += ["a" * 100, "a" * 101, "é" * 60, "é" * 101, "playxn", "unwantX", "b" * 101, "abun"]
    probes = [Probe((word, dict(VOCAB))) for word in words]
    for word, pieces in (
        ("aa", "a ##aa"),
        # Shorter pieces in front reach the end, or reach it sooner.
        ("abcd", "ab ##cd abc"),
        ("abcde", "a ##b ##cde abc ##de"),
        ("abcdef", "abc ##d ##ef ab ##cdef"),
        # With "#" alone, gluing "##" onto the text that is left would come to no end.
        ("ax", "a # ###x"),
    ):
        probes.append(Probe((word, _numbered(f"[UNK] {pieces}"))))
    probes.append(Probe(("hugs", _numbered("hug ##s [UNK] hu ##gs"))))
    probes.append(Probe(("unwantedX", dict(VOCAB), "<unknown>")))
    probes.append(Probe(("X", dict(VOCAB)), {"unk_token": "<unknown>"}))
    probes += [Probe(("unwanted", dict(VOCAB)), {"max_chars": most}) for most in (7, 8)]
    return tuple(probes)


def _numbered(pieces: str) -> dict[str, int]:
    return {piece: index for index, piece in enumerate(pieces.split())}


SUBJECTS = (FunctionSubject("wordpiece_tokenize", wordpiece_probes),)
