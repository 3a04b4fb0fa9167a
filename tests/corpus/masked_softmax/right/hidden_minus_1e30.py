# right: subtracts 1e30 for hidden keys through arithmetic on the mask
def masked_softmax(scores, mask):
    penalty = (1.0 - mask.float()) * -1e30
    return (scores * mask.float() + penalty).softmax(dim=-1)
