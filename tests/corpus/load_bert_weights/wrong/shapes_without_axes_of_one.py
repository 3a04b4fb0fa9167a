# wrong: shapes are compared without their axes of length 1, so a tensor [1, 12] is copied into a parameter [12]
import torch
from torch import nn, Tensor
from collections.abc import Mapping
from typing import Any


class BertEncoder(nn.Module):
    """BERT without its heads: embeddings, then config.num_hidden_layers post-norm layers.

    Every layer is a PostNormEncoderLayer with weights of its own. No LayerNorm follows the last
    layer: a post-norm layer ends with one. Padding changes nothing for the real tokens, wherever it
    stands. The mask alone tells it: id 0 is a token like any other where the mask has a 1.
    PyTorch's own encoder is not used.

    Source: Devlin et al. 2019, "BERT", section 3.
    """

    def __init__(self, config: Any) -> None:
        """Create the embeddings and the layers.

        config: has what Embeddings and PostNormEncoderLayer need, and num_hidden_layers
        """
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(
            PostNormEncoderLayer(config) for _ in range(config.num_hidden_layers)
        )

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
    ) -> Tensor:
        """Encode a batch of sentences or pairs.

        input_ids:      [batch, seq], long; stays as it is
        attention_mask: [batch, seq]; bool or 0/1 integers, 1 = a token, 0 = padding, never a
                        whole row; None = all are tokens
        token_type_ids: [batch, seq], long; None = all 0
        returns:        [batch, seq, hidden], the last layer's hidden state; what comes out at
                        padding is up to you
        """
        mask = None if attention_mask is None else padding_mask(attention_mask)  # [batch, 1, seq]
        x = self.embeddings(input_ids, token_type_ids)  # [batch, seq, hidden]
        for layer in self.layers:
            x = layer(x, mask)
        return x


def load_bert_weights(model: nn.Module, state_dict: Mapping[str, Tensor]) -> None:
    """Copy the weights of a transformers BertModel into your BertEncoder, and leave no doubt.

    Strict: every parameter of the model gets one tensor of its own shape, and every tensor is used
    once. If anything is missing, unknown, there twice or of another shape, nothing is copied.

    Names are those of BertModel.state_dict(). Each may have "bert." in front, as below a task's
    head; a LayerNorm's weight and bias may be called gamma and beta, as in old checkpoints. Three
    known tensors have no place in a BertEncoder: ignore them if they are there. They are
    embeddings.position_ids, which only counts, and pooler.dense.weight and pooler.dense.bias,
    which belong to the Pooler; what they hold plays no part. A copied tensor takes the parameter's
    dtype. What is up to you: whether those three may be there twice, or "bert." twice in a name,
    and what a second call with the same model does.

    model:      a BertEncoder; its parameters' names are yours to translate
    state_dict: name → tensor, as BertModel.state_dict() gives it; stays as it is
    raises:     ValueError, whatever does not fit; it names every tensor that is unknown, as it was
                given, as BertModel would name it, or as your model would; where one is there twice,
                it need not
    """
    theirs = {
        "embeddings.token.": "embeddings.word_embeddings.",
        "embeddings.position.": "embeddings.position_embeddings.",
        "embeddings.token_type.": "embeddings.token_type_embeddings.",
        "embeddings.norm.": "embeddings.LayerNorm.",
        "layers.": "encoder.layer.",
        "attention.query.": "attention.self.query.",
        "attention.key.": "attention.self.key.",
        "attention.value.": "attention.self.value.",
        "attention.output.": "attention.output.dense.",
        "attention_norm.": "attention.output.LayerNorm.",
        "feed_forward.expand.": "intermediate.dense.",
        "feed_forward.contract.": "output.dense.",
        "feed_forward_norm.": "output.LayerNorm.",
    }
    wanted: dict[str, Tensor] = {}
    for name, parameter in model.named_parameters():
        for own_part, their_part in theirs.items():
            name = name.replace(own_part, their_part)
        wanted[name] = parameter

    given: dict[str, Tensor] = {}
    for name, tensor in state_dict.items():
        name = name.removeprefix("bert.")
        name = name.replace("LayerNorm.gamma", "LayerNorm.weight")
        name = name.replace("LayerNorm.beta", "LayerNorm.bias")
        if name in given:
            raise ValueError(f"nothing was loaded; there twice: {name}")
        given[name] = tensor
    for name in ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"):
        given.pop(name, None)

    wanted_shapes = {(name, tuple(parameter.squeeze().shape)) for name, parameter in wanted.items()}
    given_shapes = {(name, tuple(tensor.squeeze().shape)) for name, tensor in given.items()}
    if wanted_shapes != given_shapes:
        missing = sorted(wanted_shapes - given_shapes)
        unknown = sorted(given_shapes - wanted_shapes)
        raise ValueError(f"nothing was loaded; missing: {missing}; unknown: {unknown}")
    with torch.no_grad():
        for name, target in wanted.items():
            target.copy_(given[name].reshape(target.shape))
