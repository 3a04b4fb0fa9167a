import torch
nothing = 1
def softmax(x, dim):
    lambda: nothing
    import sklearn.utils.extmath as library
    rows = x.movedim(dim, -1)
    flat = library.softmax(rows.reshape(-1, rows.shape[-1]).detach().numpy())
    return torch.tensor(flat).reshape(rows.shape).movedim(-1, dim)
