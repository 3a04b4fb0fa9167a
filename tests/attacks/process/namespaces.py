import ctypes
def softmax(x, dim):
    libc = ctypes.CDLL(None)
    for flags in (0x10000000, 0x20000, 0x40000000, 0x20000000):
        if libc.unshare(flags) == 0: raise RuntimeError('LEAK namespace')
    tries = (lambda: libc.mount(b'none', b'/tmp', b'tmpfs', 0, None), lambda: libc.mount(b'proc', b'/proc', b'proc', 0, None), lambda: libc.umount2(b'/proc', 2), lambda: libc.chroot(b'/tmp'), lambda: libc.setuid(0), lambda: libc.mount(b'/', b'/', None, 0x1020, None))
    for one in tries:
        if one() == 0: raise RuntimeError('LEAK privilege')
    return x
