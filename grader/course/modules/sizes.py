"""The small sizes that modules are judged at: all different, so that a wrong axis cannot pass."""

from dataclasses import dataclass, replace

from ...worker.values import Config


@dataclass(frozen=True)
class Sizes:
    """What a config asks for; all pairwise different, so that a wrong axis cannot pass."""

    hidden: int
    heads: int
    width: int
    intermediate: int


@dataclass(frozen=True)
class StackSizes:
    """Sizes of everything around the layers."""

    layer: Sizes
    vocab: int
    positions: int
    types: int
    layers: int
    labels: int = 0


BATCH, LENGTH = 3, 4
LAYER = Sizes(hidden=35, heads=5, width=7, intermediate=22)
STACK = StackSizes(LAYER, vocab=29, positions=13, types=2, layers=3, labels=6)
# None is another: nor is what code makes of them (a padded vocabulary, two positions more). Most of
# these are larger than 40: code may be right for small sizes alone.
OTHER_LAYER = Sizes(hidden=45, heads=9, width=5, intermediate=51)
OTHER_STACK = StackSizes(OTHER_LAYER, vocab=103, positions=53, types=3, layers=2, labels=2)
# Where one map could pass for another.
EQUAL = 65  # a linear map for each feature is still read
SQUARE_STACK = replace(
    OTHER_STACK,
    layer=Sizes(hidden=EQUAL, heads=5, width=13, intermediate=EQUAL),
    layers=1,
    labels=1,
)
# In layers and stacks any small ε does; in Embeddings it is the config's: then another shows.
FREE_EPS, PROMISED_EPS = 1e-6, 0.05
# Of which there may be many layers.
TINY_STACK = replace(STACK, layer=Sizes(hidden=6, heads=3, width=2, intermediate=5), vocab=11)
# One of everything, where no reading tells maps of one number apart; but a table may be cut in two.
LEAST = StackSizes(Sizes(1, 1, 1, 1), vocab=2, positions=1, types=1, layers=1, labels=1)
# Of which a sentence may be very long: of one head, scores are few.
LONG_STACK = replace(STACK, layer=Sizes(hidden=6, heads=1, width=6, intermediate=5))
# Of dropout: no usual one, and neither is that of two such in a row, 0.36.
RATE = 0.2


def config(stack: StackSizes = STACK, eps: float = FREE_EPS) -> Config:
    """The fields of transformers' BertConfig, at these sizes."""
    return Config(
        {
            "vocab_size": stack.vocab,
            "hidden_size": stack.layer.hidden,
            "num_hidden_layers": stack.layers,
            "num_attention_heads": stack.layer.heads,
            "intermediate_size": stack.layer.intermediate,
            "hidden_act": "gelu",
            "hidden_dropout_prob": RATE,
            "attention_probs_dropout_prob": 0.0,
            "max_position_embeddings": stack.positions,
            "type_vocab_size": stack.types,
            "initializer_range": 0.02,
            "layer_norm_eps": eps,
            "pad_token_id": 0,
            "num_labels": stack.labels,
            "position_embedding_type": "absolute",
            "classifier_dropout": None,
            "is_decoder": False,
            "use_cache": False,
            "output_attentions": False,
            "output_hidden_states": False,
            "return_dict": False,
            "model_type": "bert",
        }
    )
