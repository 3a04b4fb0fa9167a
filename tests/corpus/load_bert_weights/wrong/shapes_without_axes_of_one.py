# wrong: shapes are compared without their axes of length 1, so a tensor [1, 12] is copied into a parameter [12]
import torch


def load_bert_weights(model, state_dict):
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
