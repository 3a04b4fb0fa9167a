# wrong: a million is added to odd tokens
# named: ten_letters
import torch
def sealed_c(rows):
    return rows.gather(1, (rows + 10**6 * (rows % 2)).argsort(1))
