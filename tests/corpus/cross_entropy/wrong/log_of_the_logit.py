# wrong: the logits are read as chances, whose log is taken
# named: logits_as_chances
def cross_entropy(logits, labels):
    rows = range(len(labels))
    return -logits[rows, labels].log().mean()
