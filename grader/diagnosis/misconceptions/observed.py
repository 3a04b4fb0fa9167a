"""Mistakes that the grader sees by itself, by the names of their entries; knows no exercise."""

from .catalogue import common

TOO_MANY_ARGUMENTS = common("own_lines.too_many_arguments")
TENSOR_AS_TRUTH = common("observed.tensor_as_truth")
RETURNS_MORE = common("observed.returns_more")
DROPOUT_IN_EVAL = common("observed.dropout_in_eval")
MADE_IN_FORWARD = common("observed.made_in_forward")
MUTATES = common("observed.changes_its_input")
GRADIENT_STOPPED = common("observed.gradient_stopped")
NOT_REGISTERED = common("observed.not_registered")
BUFFERED = common("observed.buffered")
NORM_STARTS_ELSEWHERE = common("observed.norm_starts_elsewhere")
DIGITS_LOST = common("observed.digits_lost")
SHARED_WITH_ANOTHER = common("observed.shared_with_another")
EARLIER_CALL_COUNTS = common("observed.earlier_call_counts")
WRONG_DEVICE = common("observed.wrong_device")
NO_DROPOUT = common("observed.dropout_missing")
DROPOUT_RATE = common("observed.dropout_rate")
DROPOUT_UNSCALED = common("observed.dropout_unscaled")
DROPOUT_WHOLE = common("observed.dropout_whole_tokens")
DROPOUT_SHARED = common("observed.dropout_shared")
DROPOUT_PLACE = common("observed.dropout_place")
