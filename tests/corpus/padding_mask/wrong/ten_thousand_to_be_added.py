# wrong: numbers to be added to scores with a heads axis: 0, and −10000 for padding
# named: additive_10000, four_axes
def padding_mask(attention_mask):
    seen = attention_mask[:, None, None, :].float()
    return (1.0 - seen) * -1e4
