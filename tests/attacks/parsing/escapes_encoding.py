# coding: unicode_escape
a = '\ud800'
def softmax(x, dim):
    return x
