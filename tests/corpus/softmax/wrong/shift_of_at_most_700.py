# wrong: the shift is kept between -700 and 700
def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True).clamp(-700, 700)).exp()
    return e / e.sum(dim, keepdim=True)
