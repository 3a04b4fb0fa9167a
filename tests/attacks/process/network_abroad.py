import ctypes, socket, urllib.request
def softmax(x, dim):
    for family in range(46):
        for kind in (1, 2, 3, 5):
            if ctypes.CDLL(None).socket(family, kind, 0) >= 0: raise RuntimeError('LEAK socket')
    for ask in (lambda: socket.create_connection(('1.1.1.1', 53), 1), lambda: socket.getaddrinfo('example.org', 80), lambda: urllib.request.urlopen('http://example.org', timeout=1)):
        try: raise RuntimeError('LEAK ' + repr(ask()))
        except OSError: pass
    return x
