# wrong: ~ of integers: -1 and -2 are both true
# named: all_true
def padding_mask(attention_mask):
    return (~(1 - attention_mask.int())).bool().unsqueeze(1)
