# right: eye lookup then tensordot
import torch
def embed_one_hot(token_ids, table):
    eye = torch.eye(len(table)).to(table)
    return torch.tensordot(eye[token_ids], table, dims=([2], [0]))
