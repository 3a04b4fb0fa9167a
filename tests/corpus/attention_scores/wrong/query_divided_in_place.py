# wrong: the query is divided by the root in place
# named: changes_its_input
def attention_scores(query, key):
    query /= query.shape[-1] ** 0.5
    return query @ key.transpose(1, 2)
