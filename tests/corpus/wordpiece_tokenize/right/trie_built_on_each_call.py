# right: trie of dictionaries built from the vocabulary on each call
from collections import defaultdict
class Trie:
    __slots__ = ("kids", "end")
    def __init__(self):
        self.kids, self.end = {}, False
    def add(self, s):
        node = self
        for c in s:
            node = node.kids.setdefault(c, Trie())
        node.end = True
    def longest(self, s, i):
        node, best = self, None
        while i < len(s) and s[i] in node.kids:
            node = node.kids[s[i]]
            i += 1
            if node.end:
                best = i
        return best

def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    head, tail = Trie(), Trie()
    for entry in vocab:
        head.add(entry)
        if entry.startswith("##"):
            tail.add(entry[2:])
    i, out = 0, []
    while i < len(word):
        j = (tail if out else head).longest(word, i)
        if j is None or j == i:
            return [unk_token]
        out.append(word[i:j] if not out else "##" + word[i:j])
        i = j
    return out
