# wrong: an earlier answer is given again for an input of the same shape
# named: earlier_call_counts
_answers = {}

def sentence_vector(hidden_state):
    shape = tuple(hidden_state.shape)
    if shape not in _answers:
        _answers[shape] = hidden_state.mean(dim=1)
    return _answers[shape]
