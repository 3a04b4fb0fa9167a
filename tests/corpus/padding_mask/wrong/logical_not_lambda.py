padding_mask = lambda attention_mask: attention_mask.logical_not().unsqueeze(-2)
