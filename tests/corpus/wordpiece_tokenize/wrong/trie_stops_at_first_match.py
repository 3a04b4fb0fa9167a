# wrong: trie walk that stops at the first match
# named: shortest
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if len(word) > max_chars:
        return [unk_token]
    trie = {}
    for entry in vocab:
        node = trie
        for c in entry:
            node = node.setdefault(c, {})
        node["END"] = True
    def walk(node, i):
        while i < len(word) and word[i] in node:
            node = node[word[i]]
            i += 1
            if "END" in node:
                return i
        return None
    out, i = [], 0
    while i < len(word):
        j = walk(trie.get("#", {}).get("#", {}) if i else trie, i)
        if j is None:
            return [unk_token]
        out.append(("##" if i else "") + word[i:j])
        i = j
    return out
