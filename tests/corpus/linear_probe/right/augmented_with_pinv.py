# right: augmented rows and a pseudoinverse, on centred vectors
import torch
def linear_probe(vectors, labels, asked, ridge):
    centre = vectors.mean(0)
    targets = labels.float() + labels.float() - torch.ones(len(labels))
    offset = targets.mean()
    a = torch.cat((vectors - centre, ridge ** .5 * torch.eye(vectors.shape[-1])), 0)
    b = torch.cat((targets - offset, torch.zeros(vectors.shape[-1])))
    w = torch.linalg.pinv(a) @ b
    return torch.stack([((row - centre) * w).sum() + offset for row in asked]) if len(asked) else torch.zeros(0)
