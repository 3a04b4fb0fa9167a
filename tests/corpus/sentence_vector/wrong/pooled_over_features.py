# wrong: pools with AvgPool over features through a missing transpose
# named: over_features
import torch.nn.functional as F
def sentence_vector(hidden_state):
    return F.adaptive_avg_pool1d(hidden_state, 1).squeeze(-1)
