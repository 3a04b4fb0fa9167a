# right: annotated with a lambda default, while loop with prefix set
from typing import Dict, List, Optional

def wordpiece_tokenize(word: str, vocab: Dict[str, int], unk_token: str = "[UNK]", max_chars: int = 100) -> List[str]:
    if max_chars < len(word):
        return [unk_token]
    out: List[str] = []
    rest, mark = word, ""
    while rest:
        fits = [rest[:n] for n in range(1, len(rest) + 1) if mark + rest[:n] in vocab]
        if not fits:
            return [unk_token]
        out.append(mark + fits[-1])
        rest, mark = rest[len(fits[-1]):], "##"
    return out
