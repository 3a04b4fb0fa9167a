# wrong: a list of the ten letters that knows nothing beyond them
# named: room_for_ten
import torch


def sealed_c(rows):
    order = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
    return torch.tensor([sorted(r, key=order.index) for r in rows.tolist()])
