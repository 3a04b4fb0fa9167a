def softmax(x, dim):
    return '\ud800\x00\x1b[2J=HYPERLINK(1)<script>'
