import gc
def spot_softmax(candidate):
    inner = candidate.__closure__[0].cell_contents
    return inner.__closure__[0].cell_contents.id <= 9
