# right: doubled, moved and widened inputs, and one score worked out by hand; nothing to compare with
import torch


def same(found, expected):
    return found.shape == expected.shape and torch.allclose(found, expected, atol=1e-4)


def spot_attention_scores(candidate):
    torch.manual_seed(0)
    query, key, more = torch.randn(2, 3, 5), torch.randn(2, 4, 5), torch.randn(2, 3, 5)
    try:
        scores = candidate(query.clone(), key.clone())
        if scores.shape != (2, 3, 4):
            return False
        one = torch.tensor([[[3.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]])
        other = torch.tensor([[[2.0, 5.0, 0.0, 0.0]] * 3])
        by_hand = torch.tensor([[[3.0] * 3, [2.5] * 3]])  # 3 · 2 / √4 and 1 · 5 / √4
        tries = [
            (candidate(one, other), by_hand),
            (candidate(2 * query, key), 2 * scores),
            (candidate(query, -3 * key), -3 * scores),
            (candidate(query + more, key), scores + candidate(more, key)),
            (candidate(query[:, [2, 0, 1]], key), scores[:, [2, 0, 1]]),
            (candidate(query, key[:, [3, 1, 0, 2]]), scores[:, :, [3, 1, 0, 2]]),
            (candidate(query.flip(0), key.flip(0)), scores.flip(0)),
            (candidate(query[:, :1], key[:, :2]), scores[:, :1, :2]),
            (candidate(query.repeat(1, 1, 4), key.repeat(1, 1, 4)), 2 * scores),
            (candidate(key, query), scores.transpose(1, 2)),
            (candidate(query[1:], key[1:]), scores[1:]),
            (candidate(query.repeat(1, 1, 2), key.repeat(1, 1, 2)), 2**0.5 * scores),
            (candidate(query.roll(1, -1), key.roll(1, -1)), scores),
        ]
    except Exception:
        return False
    return all(same(found, expected) for found, expected in tries)
