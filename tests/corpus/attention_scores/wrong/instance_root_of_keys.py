# wrong: class with __call__; root of the number of keys
# named: scaled_by_root_of_keys
class Scores:
    def __call__(self, query, key):
        return query @ key.transpose(1, 2) / key.size(1) ** 0.5

attention_scores = Scores()
