# right: torch.where over bool constants
import torch
def padding_mask(attention_mask):
    yes, no = torch.tensor(True), torch.tensor(False)
    return torch.where(attention_mask > 0, yes, no).view(attention_mask.size(0), 1, -1)
