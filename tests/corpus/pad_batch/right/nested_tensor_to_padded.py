# right: nested tensor to padded
import torch
def pad_batch(sequences, pad_id):
    def side(rows, fill):
        width = len(max(rows, key=len))
        it = iter(rows)
        return torch.stack([torch.cat((torch.tensor(r, dtype=torch.long), torch.LongTensor([fill]).expand(width - len(r)))) for r in it])
    return side(sequences, pad_id), side([[1 for _ in s] for s in sequences], 0)
