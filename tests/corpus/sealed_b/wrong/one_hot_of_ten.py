# wrong: one column for each of ten letters
# named: room_for_ten
import torch
def sealed_b(rows):
    hot = torch.nn.functional.one_hot(rows, 10)
    before = hot.cumsum(1) - hot
    return (before.gather(2, rows.unsqueeze(2)).squeeze(2) > 0).long()
