# wrong: axis for queries put last
# named: over_queries
def padding_mask(attention_mask):
    return (attention_mask != 0)[..., None]
