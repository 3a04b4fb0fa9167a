# wrong: numbers are kept between -65504 and 65504
def merge_heads(x):
    return x.clamp(-65504, 65504).transpose(1, 2).flatten(2)
