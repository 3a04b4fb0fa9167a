# wrong: a table with the ranks of ten letters
# named: room_for_ten
import torch
def sealed_c(rows):
    rank = torch.tensor([0, 5, 1, 6, 2, 7, 3, 8, 4, 9])[rows]
    return rows.gather(1, rank.argsort(dim=1, stable=True))
