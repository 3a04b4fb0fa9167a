# wrong: strict=False: what is missing is passed over
import torch
def load_bert_weights(model, state_dict):
    own = dict(model.named_parameters())
    def mine(k):
        k = k.removeprefix("bert.").replace("gamma", "weight").replace("beta", "bias")
        for a, b in (("embeddings.word_embeddings", "embeddings.token"), ("position_embeddings", "position"), ("token_type_embeddings", "token_type"), ("embeddings.LayerNorm", "embeddings.norm"),
                     ("encoder.layer", "layers"), ("attention.output.LayerNorm", "attention_norm"), ("attention.output.dense", "attention.output"), ("attention.self", "attention"),
                     ("intermediate.dense", "feed_forward.expand"), ("output.LayerNorm", "feed_forward_norm"), ("output.dense", "feed_forward.contract")):
            k = k.replace(a, b)
        return k
    with torch.no_grad():
        for k, v in state_dict.items():
            if mine(k) in own and own[mine(k)].shape == v.shape:
                own[mine(k)].copy_(v)
