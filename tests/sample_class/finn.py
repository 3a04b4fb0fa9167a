import torch


def softmax(x, dim):
    while True:
        pass


def sentence_vector(hidden_state):
    """One vector for each sentence."""
    return hidden_state.mean(dim=1)
