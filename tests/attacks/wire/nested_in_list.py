import torch
def pad_batch(sequences, pad_id):
    both = torch.nested.nested_tensor([torch.tensor(each) for each in sequences])
    return [both, torch.nested.nested_tensor(list(both.unbind()), layout=torch.jagged)]
