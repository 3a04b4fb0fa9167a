# wrong: logical_not in a one-liner lambda
# named: inverted
padding_mask = lambda attention_mask: attention_mask.logical_not().unsqueeze(-2)
