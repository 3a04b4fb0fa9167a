import torch
def softmax(x, dim):
    exec("")
    way = torch
    names = ".nn" * 600
    way = getattr(way, names, way)
    way = getattr(way, names, way)
    way = getattr(way, names, way)
    return way and x
