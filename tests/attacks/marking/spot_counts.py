calls = [0]
def spot_softmax(candidate):
    calls[0] += 1
    return calls[0] <= 9
