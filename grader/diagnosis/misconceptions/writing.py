"""Chapter 11's subjects in one place; it knows none of their mathematics."""

from __future__ import annotations

from . import key_value_cache, masked_model, masking, next_token, sampling

SUBJECTS = (
    masking.SUBJECT,
    masked_model.SUBJECT,
    next_token.SUBJECT,
    sampling.SUBJECT,
    key_value_cache.SUBJECT,
)
ENTRIES = {
    "mask_tokens": "grader_mask_tokens",
    "MaskedLanguageModel": "grader_masked_model",
    "sample": "grader_sample",
    "KeyValueCache": "grader_cache",
}
