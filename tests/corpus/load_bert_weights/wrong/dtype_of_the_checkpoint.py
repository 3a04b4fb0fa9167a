# wrong: data is a clone, in the dtype of the checkpoint
import torch
from torch import nn
def load_bert_weights(model: nn.Module, state_dict) -> None:
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
                given or as BertModel would name it
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
    wanted: dict = {}
    for name, parameter in model.named_parameters():
        for own_part, their_part in theirs.items():
            name = name.replace(own_part, their_part)
        wanted[name] = parameter

    given: dict = {}
    for name, tensor in state_dict.items():
        name = name.removeprefix("bert.")
        name = name.replace("LayerNorm.gamma", "LayerNorm.weight")
        name = name.replace("LayerNorm.beta", "LayerNorm.bias")
        if name in given:
            raise ValueError(f"nothing was loaded; there twice: {name}")
        given[name] = tensor
    for name in ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"):
        given.pop(name, None)

    wanted_shapes = {(name, tuple(parameter.shape)) for name, parameter in wanted.items()}
    given_shapes = {(name, tuple(tensor.shape)) for name, tensor in given.items()}
    if wanted_shapes != given_shapes:
        missing = sorted(wanted_shapes - given_shapes)
        unknown = sorted(given_shapes - wanted_shapes)
        raise ValueError(f"nothing was loaded; missing: {missing}; unknown: {unknown}")
    with torch.no_grad():
        for name, target in wanted.items():
            target.data = given[name].clone()
