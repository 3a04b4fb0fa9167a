"""Right and wrong implementations that the find-the-mistake exercises are tried on, held by us."""

import math
from collections.abc import Callable

import torch
from torch.nn import functional as F

from solutions.attention_scores import attention_scores
from solutions.classification_head import cross_entropy
from solutions.embeddings import sinusoidal_encoding
from solutions.multi_head_attention import split_heads
from solutions.softmax import masked_softmax
from solutions.tokenization import wordpiece_tokenize
from solutions.writing import next_token_loss

from ...diagnosis.misconceptions.catalogue import wrong_implementations
from ...diagnosis.misconceptions.spotting import Flawed, Function, Spot, subject_of
from .spot_functions import (
    affine,
    centred_norm,
    convolved,
    hidden,
    in_double,
    last_times_zero,
    looped_waves,
    norm,
    renormalised,
    root,
    shifted_waves,
    stepwise_loss,
    trie_pieces,
    usual_waves,
)
from .spot_mistakes import mistakes, others, taken

# What is judged there as a function.
MODULES = {"spot_feed_forward": "FeedForward", "spot_layer_norm": "LayerNorm"}
# What ordinary tokens do not show.
ODD_TOKENS = "eps_at_least nan_of_equal squares_less_square"
WAVES = "base_1000 exponent_doubled exponent_halved multiplied halves"  # the first one is right
# What nobody can see who never tries such an input, by the misconception that says so.
UNSEEN = {
    "spot_tokenization": {
        "no_long_word": "no_limit limit_inclusive limit_in_bytes limit_in_pieces",
        "no_word_beyond_limit": "no_limit limit_in_pieces",
        "no_word_at_limit": "limit_inclusive",
        "pieces_of_one_letter": "limit_in_pieces",
        "no_accents": "limit_in_bytes",
        "no_id_0": "zero_is_none",
        "one_order": "first_listed",
        "no_piece_twice": "pieces_once",
    },
    "spot_embeddings": {
        "one_wave": f"{WAVES} one_hidden_size divided_by_length",
        "hidden_size_512": "one_hidden_size",
        "square_tables": "divided_by_length",
        "too_wide": "a_little_large",
    },
    "spot_attention_scores": {
        "one_sentence": "mixed_batch same_for_all first_keys",
        "one_feature": "unscaled scaled_by_width scale_multiplied reshaped root_cut",
        "four_features": "scaled_by_half_width root_cut",
        "d_k_64": "one_width root_cut",
        "square_widths": "root_cut",
        "as_many_queries_as_features": "scaled_by_root_of_queries",
        "as_many_keys_as_features": "scaled_by_root_of_keys",
        "as_many_keys_as_queries": "as_many_keys",
        "first_sentence_alone": "first_keys one_too_large",
        "weights_compared": "largest_subtracted",
        "as_many_sentences_as_features": "scaled_by_root_of_batch",
        "too_wide": "a_little_large",
    },
    "spot_softmax": {
        "one_sentence": "mask_of_first_row mask_for_each",
        "queries_masked_alike": "mask_of_first_query",
        "whole_masks": "mask_unbroadcast mask_for_each",
        "prefixes_alone": "first_keys_visible until_first_hidden",
        "no_large_score": "no_shift global_max maximum_of_all_keys mask_fills_minus_1e4 "
        "clamped_above",
        "no_low_score": "mask_fills_minus_1e4",
        "rows_alike": "global_max",
        "no_hidden_above": "maximum_of_all_keys",
        "no_integers": "integers_inverted",
        "no_bools": "bools_misread",
        "never_compared": "changes_scores changes_mask",
        "scores_never_compared": "changes_scores",
        "mask_never_compared": "changes_mask",
        "first_sentence_alone": "mask_of_first_row one_too_large",
        "no_mask_for_all": "mask_for_each",
    },
    "spot_multi_head_attention": {
        "as_many_heads_as_features_each": "counts_exchanged",
        "four_heads": "one_number_of_heads",
        "one_feature_each": "interleaved features_before_tokens_reshaped two_exchanged",
        "features_alike": "interleaved reversed two_exchanged",
        "tokens_alike": "tokens_reversed sentences_reversed read_as_tokens_first",
        "first_sentence_alone": "one_too_large",
    },
    "spot_feed_forward": {
        "no_shift": "first_bias_lost second_bias_lost one_bias_for_all",
        "first_bias_alike": "one_bias_for_all",
        "one_token": "tokens_mixed",
        "one_sentence": "sentences_reversed",
        "too_wide": "gelu_tanh",
        "never_compared": "changes_x changes_a_weight changes_a_bias",
        "x_never_compared": "changes_x",
        "weights_never_compared": "changes_a_weight changes_a_bias",
        "first_sentence_alone": "one_too_large",
    },
    "spot_layer_norm": {
        "tiny_eps": f"eps_outside_root eps_ignored eps_1e12 eps_twice eps_as_floor eps_squared "
        f"{ODD_TOKENS}",
        "eps_1": "eps_squared",
        "no_scale": f"scale_unused shift_unused shift_before_scale one_scale_for_all {ODD_TOKENS}",
        "scale_alike": "one_scale_for_all",
        "ordinary_tokens": ODD_TOKENS,
        "no_tiny_token": "eps_at_least",
        "never_compared": "changes_x changes_scale_or_shift",
        "x_never_compared": "changes_x",
        "scale_never_compared": "changes_scale_or_shift",
        "first_sentence_alone": "one_too_large",
        "as_many_tokens_as_features": "spread_by_tokens",
        "two_features": "mean_distance",
        "too_wide": "a_little_large",
    },
    "spot_classification_head": {
        "one_sentence": "summed rows_reversed mean_over_labels global_max",
        "no_large_score": "no_shift zero_times_log clamped_1e_9 global_max log_of_softmax",
        "no_label_0": "label_0_left_out",
        "two_labels_alone": "two_labels",
        "never_compared": "changes_logits changes_labels",
        "logits_never_compared": "changes_logits",
        "labels_never_compared": "changes_labels",
        "as_many_labels_as_rows": "by_labels",
        "too_wide": "a_little_large",
    },
    "spot_writing": {
        "one_sentence": "across rows_reversed first_sentence",
        "no_large_score": "no_shift zero_times_log with_constant log_of_softmax",
        "no_id_0": "padding_left_out",
        "two_tokens": "last_alone summed_along rolled",
        "in_turns": "rolled",
        "never_compared": "changes_logits changes_ids",
        "logits_never_compared": "changes_logits",
        "ids_never_compared": "changes_ids",
        "two_pieces_alone": "two_pieces",
        "as_many_pieces_as_guesses": "by_pieces",
        "too_wide": "a_little_large",
    },
}


def _spot(exercise: str, right: tuple[Function, ...], size: Callable[..., float]) -> Spot:
    """The wrong ones that the data file names: our own, or the solution with its wrong turns."""
    named, own = wrong_implementations(exercise), mistakes(exercise, right[0])
    judged, drawn = MODULES.get(exercise, right[0].__name__), others(exercise, right[0])
    wrong = tuple(
        Flawed(mistake, own.get(name) or taken(judged, name), drawn.get(name))
        for name, mistake in named.items()
    )
    numbers = {name: len(right) + index for index, name in enumerate(named)}
    unseen = {
        name: frozenset(numbers[each] for each in shown.split())
        for name, shown in UNSEEN.get(exercise, {}).items()
    }
    return Spot(exercise, judged, right, wrong, size, unseen)


SPOTS = (
    _spot(
        "spot_tokenization",
        (
            wordpiece_tokenize,
            trie_pieces,
            lambda word, vocab: wordpiece_tokenize(word, dict(vocab), "[UNK]", 100),
            lambda word, vocab: list(trie_pieces(word, vocab)),
        ),
        lambda word, vocab: len(word) * 1e3 + len(vocab),
    ),
    _spot(
        "spot_embeddings",
        (
            sinusoidal_encoding,
            usual_waves,
            looped_waves,
            shifted_waves,
            lambda n, d: sinusoidal_encoding(n + 3, d)[:n],
        ),
        lambda n, d: abs(n * d) * 20.0,
    ),
    _spot(
        "spot_attention_scores",
        (
            attention_scores,
            lambda q, k: torch.bmm(q / root(q) ** 0.5, k.mT / root(q) ** 0.5),
            lambda q, k: torch.einsum("bid,bjd->bij", q, k) / root(q),
            lambda q, k: (q.unsqueeze(2) * k.unsqueeze(1)).sum(-1) * q.shape[-1] ** -0.5,
            lambda q, k: (k @ q.mT / root(q)).mT,
            lambda q, k: torch.stack([a @ b.T for a, b in zip(q, k, strict=True)]) / root(q),
            lambda q, k: (q / root(q)) @ k.permute(0, 2, 1),
            in_double(attention_scores),
        ),
        lambda q, k: float(q.numel()) * (k.shape[-2] if k.dim() == 3 == q.dim() else k.numel()),
    ),
    _spot(
        "spot_softmax",
        (
            masked_softmax,
            lambda s, m: hidden(s, m).softmax(-1),
            lambda s, m: s.masked_fill(m == 0, torch.finfo(s.dtype).min).softmax(-1),
            lambda s, m: hidden(s, m).log_softmax(-1).exp(),
            lambda s, m: (s + m.float().log()).softmax(-1),
            lambda s, m: torch.where(m.bool(), s, torch.finfo(s.dtype).min).softmax(-1),
            lambda s, m: (hidden(s, m) - hidden(s, m).logsumexp(-1, True)).exp(),
            renormalised,
            in_double(renormalised),
        ),
        lambda s, m: 3.0 * math.prod(map(max, zip(s.shape[::-1], m.shape[::-1], strict=False))),
    ),
    _spot(
        "spot_multi_head_attention",
        (
            split_heads,
            lambda x, n: torch.stack(x.chunk(n, -1), 1),
            lambda x, n: x.view(*x.shape[:2], n, -1).permute(0, 2, 1, 3),
            lambda x, n: x.unflatten(-1, (n, -1)).transpose(1, 2).contiguous(),
            lambda x, n: torch.stack(x.split(x.shape[-1] // n, 2)).movedim(0, 1),
            lambda x, n: torch.einsum("bsnd->bnsd", x.reshape(*x.shape[:2], n, x.shape[-1] // n)),
            lambda x, n: x.mT.reshape(x.shape[0], n, -1, x.shape[1]).mT,
            lambda x, n: torch.cat([part.unsqueeze(1) for part in x.tensor_split(n, -1)], 1),
        ),
        lambda x, n: 5.0 * x.numel(),  # each is moved, by some head after head
    ),
    _spot(
        "spot_feed_forward",
        (
            affine,
            convolved,
            lambda x, w, b, u, c: F.gelu(x @ w.T + b) @ u.T + c,
            lambda x, w, b, u, c: torch.einsum("oi,bsi->bso", u, F.gelu(F.linear(x, w, b))) + c,
            lambda x, w, b, u, c: affine(
                x, w, b, u, c, lambda h: h * (1 + torch.erf(h / math.sqrt(2))) / 2
            ),
            lambda x, w, b, u, c: torch.stack([affine(row, w, b, u, c) for row in x]),
            lambda x, w, b, u, c: affine(x.flatten(0, 1), w, b, u, c).unflatten(0, x.shape[:2]),
            in_double(affine),
        ),
        lambda x, w, b, u, c: float(x.numel()) * (1 + w.shape[0]) + u.numel(),
    ),
    _spot(
        "spot_layer_norm",
        (
            norm,
            centred_norm,
            lambda x, w, b, e: F.layer_norm(x, x.shape[-1:], w, b, e),
            lambda x, w, b, e: torch.stack([norm(row, w, b, e) for row in x]),
            lambda x, w, b, e: torch.addcmul(b, centred_norm(x, w.new_ones(()), 0 * b, e), w),
            lambda x, w, b, e: F.layer_norm(x, x.shape[-1:], None, None, e) * w + b,
            lambda x, w, b, e: norm(x.flatten(0, 1), w, b, e).view_as(x),
            in_double(norm),
        ),
        lambda x, w, b, e: 3.0 * x.numel(),
    ),
    _spot(
        "spot_classification_head",
        (
            cross_entropy,
            F.cross_entropy,
            stepwise_loss,
            lambda x, y: -x.log_softmax(1)[range(len(y)), y].mean(),
            lambda x, y: F.nll_loss(x.log_softmax(-1), y),
            lambda x, y: (x.logsumexp(1) - x.gather(1, y[:, None])[:, 0]).sum() / len(y),
            lambda x, y: -(F.one_hot(y, x.shape[1]) * x.log_softmax(1)).sum() / len(y),
            in_double(F.cross_entropy),
        ),
        lambda x, y: float(x.numel()) + float(y.numel()) ** 2,
    ),
    _spot(
        "spot_writing",
        (
            next_token_loss,
            lambda x, y: F.cross_entropy(x[:, :-1].mT, y[:, 1:]),
            lambda x, y: F.cross_entropy(x[:, :-1].flatten(0, 1), y[:, 1:].flatten()),
            lambda x, y: stepwise_loss(x[:, :-1].flatten(0, 1), y[:, 1:].flatten()),
            lambda x, y: -x[:, :-1].log_softmax(-1).gather(-1, y[:, 1:, None]).mean(),
            lambda x, y: torch.stack(
                [F.cross_entropy(x[:, i], y[:, i + 1]) for i in range(y.shape[1] - 1)]
            ).mean(),
            lambda x, y: F.cross_entropy(
                x.mT, F.pad(y[:, 1:], (0, 1), value=-100), ignore_index=-100
            ),
            last_times_zero,
            in_double(next_token_loss),
        ),
        lambda x, y: float(x.numel()) + float(y.numel()) ** 2,
    ),
)

SUBJECTS = tuple(subject_of(spot) for spot in SPOTS)
