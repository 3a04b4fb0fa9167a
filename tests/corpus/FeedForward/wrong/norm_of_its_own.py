# wrong: the network has a LayerNorm of its own in front
# named: normed_inside_feed_forward
from torch import nn


class FeedForward(nn.Sequential):
    def __init__(self, config):
        wide, narrow = config.intermediate_size, config.hidden_size
        super().__init__(
            nn.LayerNorm(narrow),
            nn.Linear(narrow, wide),
            nn.GELU(),
            nn.Linear(wide, narrow),
            nn.Dropout(config.hidden_dropout_prob),
        )
