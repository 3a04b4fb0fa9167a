def gelu(x):
    return FeedForward.forward.__globals__['gelu'](x)
