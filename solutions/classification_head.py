"""Chapter 08: the whole encoder, a classifier on top of it, and one step of training."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from solutions.attention_scores import padding_mask
from solutions.embeddings import Embeddings
from solutions.layer_norm import LayerNorm, TransformerEncoderLayer


class TransformerEncoder(nn.Module):
    """From ids to one vector for each token: embeddings, then config.num_hidden_layers layers.

    The layers are pre-norm TransformerEncoderLayers, each with weights of its own. Whether one more
    LayerNorm, of any ε, comes after the last layer is up to you: the checks take both. The
    reference has one. What stands at padding makes no difference for the real tokens, wherever
    it is. The mask alone tells it: id 0 is a token like any other where the mask has a 1.
    PyTorch's own encoder is not used.

    Source: Vaswani et al. 2017, section 3.1; Xiong et al. 2020 for the final LayerNorm.
    """

    def __init__(self, config: Any) -> None:
        """Create the embeddings, the layers and, if you want it, the final LayerNorm.

        config: has what Embeddings and TransformerEncoderLayer need, and num_hidden_layers
        """
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(
            TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers)
        )
        self.norm = LayerNorm(config.hidden_size, config.layer_norm_eps)

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        """Encode a batch of sentences.

        input_ids: [batch, seq], long; stays as it is
        mask:      the attention mask [batch, seq]; bool or 0/1 integers, 1 = a token, 0 = padding,
                   never a whole row; None = all are tokens
        returns:   [batch, seq, hidden]; what comes out at padding is up to you
        """
        if mask is not None:
            mask = padding_mask(mask)  # [batch, 1, seq]
        x = self.embeddings(input_ids)  # [batch, seq, hidden]
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


class TransformerForSequenceClassification(nn.Module):
    """Classify whole sentences: encode them, take the vector of the first token, [CLS], and map it.

    Dropout with config.hidden_dropout_prob, then one linear map with bias, hidden_size →
    config.num_labels. What comes out are logits: no softmax. PyTorch's own encoder is not used.

    Source: Devlin et al. 2019, "BERT", section 4.1.
    """

    def __init__(self, config: Any) -> None:
        """Create the encoder, the dropout and the linear map.

        config: has what TransformerEncoder needs, and num_labels
        """
        super().__init__()
        self.encoder = TransformerEncoder(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        """Score every label for every sentence.

        input_ids: [batch, seq], long; stays as it is; column 0 is [CLS], and no padding
        mask:      the attention mask [batch, seq]; bool or 0/1 integers, 1 = a token, 0 = padding,
                   never a whole row; None = all are tokens
        returns:   [batch, num_labels]
        """
        cls = self.encoder(input_ids, mask)[:, 0]  # [batch, hidden]
        return self.classifier(self.dropout(cls))  # [batch, num_labels]


def cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """How surprised is the classifier? The mean, over the batch, of −log p(right label).

    p is the softmax of the logits over the labels. Stable: logits such as 1000 give neither inf nor
    nan, and a sure mistake costs what it should. Gradients flow through it. Logits and labels stay
    as they are. No ready-made cross-entropy, and no nll_loss; torch.logsumexp and log_softmax are
    welcome.

    logits:  [batch, num_labels], float, from −50000 to 50000
    labels:  [batch], long, from 0 to num_labels − 1
    returns: a tensor without dimensions
    """
    right = logits.gather(-1, labels.unsqueeze(-1)).squeeze(-1)  # [batch]
    losses = logits.logsumexp(dim=-1) - right  # [batch], −log p
    return losses.mean()


def train_step(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    input_ids: Tensor,
    attention_mask: Tensor,
    labels: Tensor,
) -> float:
    """One step of training: the loss, its gradients as they are, and one step of the optimizer.

    The model, with every module in it, is in training mode, whatever mode it came in, and stays in
    it. Gradients left from earlier do not count; whether you set them to 0 or to None, and what
    stands there after the step, is up to you. The loss is the cross-entropy of model(input_ids,
    attention_mask), by a function of yours or of PyTorch's.

    model:          gives logits [batch, num_labels]
    optimizer:      holds the parameters of the model, all of which learn
    input_ids:      [batch, seq], long
    attention_mask: [batch, seq], 1 = a token, 0 = padding
    labels:         [batch], long
    returns:        the loss before the step, a Python float
    """
    model.train()
    optimizer.zero_grad()
    loss = cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    optimizer.step()
    return loss.item()


def spot_classification_head(candidate: Callable[[Tensor, Tensor], Tensor]) -> bool:
    """Find the mistake: is this implementation of cross_entropy right?

    candidate(logits, labels) promises what cross_entropy promises: the mean over the batch, stable
    in every row, a tensor without dimensions, its inputs left as they are. Call it on inputs of
    your choice and judge what comes back. Every right formulation must get through: rounding
    differs from one to the next by about 1e-6 of the largest logit. A candidate that raises an
    error is a wrong one. Value, shape and untouched inputs count; none is wrong in gradients or
    dtype alone.

    candidate: logits [batch, num_labels] and labels [batch] → a tensor without dimensions
    returns:   True where the candidate behaves correctly, False where it has a mistake
    """
    plain = torch.randn(3, 5, generator=torch.Generator().manual_seed(8))
    large = torch.tensor([[500.0, 501, 0], [0, 1, 2]])  # overflows without a shift, row by row
    sure = torch.tensor([[300.0, 0], [0, -200]])  # right once, wrong once, and very sure
    cases = [
        (plain, [4, 0, 2]),
        (plain, [1, 1, 3]),
        (large, [0, 2]),
        (sure, [0, 1]),
        (sure, [1, 0]),
    ]
    try:
        for logits, label_list in cases:
            labels = torch.tensor(label_list)
            given_logits, given_labels = logits.clone(), labels.clone()
            found, expected = candidate(given_logits, given_labels), cross_entropy(logits, labels)
            if found.shape != expected.shape or not torch.allclose(found, expected, 1e-4, 1e-5):
                return False
            if not (torch.equal(given_logits, logits) and torch.equal(given_labels, labels)):
                return False
    except Exception:
        return False
    return True
