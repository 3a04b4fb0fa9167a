"""Inputs of split_words that tell its wrong turns apart; it has no formula."""

from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe


def words_probes(generator: Generator) -> tuple[Probe, ...]:
    """One text for each rule, and some with several."""
    texts = ["Time flies like an arrow.", "air,lower.upper", "Café naïve Ünïcode", "HELLO World"]
    texts += ["a [MASK] b", "[CLS] Time [SEP]", "中文 text", "abc中文def", "don't well-known"]
    texts += ["x\x00y\x07z", "price: $5+3^2 ~ok`", "“quoted” — dash…", "a\tb\nc  d", "", "   "]
    texts += ["Straße", "ﬁne ①", "wait...what?!", "[mask] (x)", "end.", "[MASK]", "Cafe\u0301"]
    texts += ["a_b __init__", "5€ x©y", "こんにちは", "한국어", "foo[MASK]bar", "[MASK]."]
    texts += ["a\u200db", "a\ufffdb", "soft\u00adhyphen", "a\u3400", "x\uf900y", "z\U00020000"]
    texts += ["ΟΔΟΣ"]
    return tuple(Probe((text,)) for text in texts)


SUBJECTS = (FunctionSubject("split_words", words_probes),)
