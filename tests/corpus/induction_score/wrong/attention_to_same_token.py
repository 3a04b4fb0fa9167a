# wrong: looks at the earlier occurrence itself
# named: same_token
import torch

def induction_score(attention, input_ids):
    same = (input_ids.unsqueeze(2) == input_ids.unsqueeze(1)).tril(-1)
    asked = same.any(-1).sum().clamp(min=1)
    return (attention * same.unsqueeze(1)).sum((0, 2, 3)) / asked
