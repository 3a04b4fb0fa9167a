# wrong: of all that comes back it looks at the first sentence alone
# named: first_sentence_alone
import torch

def spot_attention_scores(candidate):
    generator = torch.Generator().manual_seed(3)
    query = torch.randn(2, 3, 5, generator=generator)
    key = torch.randn(2, 4, 5, generator=generator)
    expected = query @ key.mT / 5**0.5
    try:
        found = candidate(query.clone(), key.clone())
        return found.shape == expected.shape and torch.allclose(found[0], expected[0], atol=1e-5)
    except Exception:
        return False
