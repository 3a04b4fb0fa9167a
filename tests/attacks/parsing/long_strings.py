A = 'soft' * 10**3
B = A.replace('s', A).replace('o', A).replace('f', A).replace('t', A)
def softmax(x, dim):
    getattr(x, B, None)
    return x * float(len('%s' % B))
