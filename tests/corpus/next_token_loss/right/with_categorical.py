# right: a distribution object
from torch.distributions import Categorical


def next_token_loss(logits, input_ids):
    model = Categorical(logits=logits[:, :-1], validate_args=False)
    return model.log_prob(input_ids[:, 1:]).mean().neg()
