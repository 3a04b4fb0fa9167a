# wrong: half of ten letters is written into the rank
# named: ten_letters
import torch
def sealed_c(rows):
    rank = rows // 2 + 5 * (rows % 2)
    return rows.gather(1, rank.argsort(dim=1, stable=True))
