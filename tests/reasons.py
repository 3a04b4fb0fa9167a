"""Programs with gaps: what is put into them makes each wrong for a reason of its own."""

HEAD = """
import math
import torch
from torch import nn
from torch.nn import functional as F
"""
FEED_FORWARD = """
class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.up = nn.Linear(config.hidden_size, config.intermediate_size, bias=UP)
        self.down = nn.Linear(config.intermediate_size, config.hidden_size, bias=DOWN)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        return self.drop(self.down(BETWEEN))
"""
MASKED = """
def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = FILLED
    scores = scores - SHIFT
    weights = scores.exp()
    return weights / weights.sum(-1, keepdim=True)
"""
AVERAGED = """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    return WEIGHTS @ value
"""
SOFTMAX = """
def softmax(x, dim=-1):
    weights = (x - SHIFT).exp()
    return weights / weights.sum(dim, keepdim=True)
"""
SAMPLE = """
def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    scores = logits / temperature
    if top_k is not None:
        edge = scores.sort(-1, descending=True).values[:, min(top_k, scores.shape[-1]) - 1]
        scores = scores.masked_fill(scores < EDGE, float("-inf"))
    if top_p is not None:
        chances, order = scores.softmax(-1).sort(-1, descending=True)
        hidden = (chances.cumsum(-1) - chances) >= top_p
        hidden[:, 0] = False
        hidden = HIDDEN
        back = torch.zeros_like(hidden).scatter(-1, order, hidden)
        scores = scores.masked_fill(back, float("-inf"))
    return torch.multinomial(scores.softmax(-1), 1, generator=DRAWN).squeeze(-1)
"""
TOKENS = """
def mask_tokens(input_ids, vocab, generator, rate=0.15):
    names = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    spared = torch.isin(input_ids, torch.tensor([vocab[name] for name in names]))

    def draw(chance):
        return torch.rand(input_ids.shape, generator=chance)

    chosen = (draw(FIRST) < rate) & ~spared
    labels = input_ids.masked_fill(~chosen, -100)
    fate = draw(SECOND)
    other = (draw(THIRD) * len(vocab)).long()
    ids = input_ids.masked_fill(chosen & (fate < 0.8), vocab["[MASK]"])
    return torch.where(chosen & (fate >= 0.9), other, ids), labels
"""
NORM = """
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(hidden_size))
        self.shift = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps
        START

    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        return self.scale * x / torch.sqrt(x.square().mean(-1, keepdim=True) + EPS) + self.shift
"""
STEP = """
def train_step(model, optimizer, input_ids, attention_mask, labels):
    model.train()
    CLEAR
    loss = F.cross_entropy(model(input_ids, attention_mask), labels)
    loss.backward()
    UPDATE
    return loss.item()
"""
PIECES = """
def wordpiece_tokenize(word, vocab, unk_token="[UNK]", max_chars=100):
    if LENGTH > max_chars:
        return [unk_token]
    found, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start and ("##" if start else "") + word[start:end] not in vocab:
            end -= 1
        if STUCK:
            return [unk_token]
        found.append(("##" if start else "") + word[start:end])
        start = end
    return found
"""
PADDED = """
def pad_batch(sequences, pad_id):
    ids = torch.full((len(sequences), max(map(len, sequences))), pad_id)
    mask = torch.zeros_like(ids)
    for row, sequence in enumerate(sequences):
        for column, token in enumerate(sequence):
            ids[row, column] = token
            mask[row, column] = VALUE
    return ids, mask
"""
POOLED = """
def mean_pool(hidden_state, attention_mask):
    mask = attention_mask.to(hidden_state.dtype)
    mask = MASK
    return (hidden_state * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
"""
ATTENTION = """
class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.query = nn.Linear(embed_dim, head_dim)
        self.key = nn.Linear(embed_dim, head_dim)
        self.value = nn.Linear(embed_dim, head_dim)

    def forward(self, x, mask=None):
        scores = self.query(x) @ self.key(x).mT / math.sqrt(self.key.out_features)
        if mask is not None:
            scores = FILLED
        return WEIGHTS @ self.value(x)
"""
ENTROPY = """
def cross_entropy(logits, labels):
    chances = logits.softmax(-1)[torch.arange(len(labels)), labels]
    return -LOG.mean()
"""
DECODE = """
def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    while CONDITION:
        ids.append(int(step(ids).argmax()))
        if ids[-1] == end_id:
            break
    return ids
"""
TABLES = """
class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position = nn.Embedding(config.max_position_embeddings + 1, config.hidden_size)
        self.KIND = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        places = torch.arange(1, input_ids.shape[1] + 1, device=input_ids.device)
        x = self.token(input_ids) + self.position(places) + self.KIND(token_type_ids)
        return self.drop(self.norm(x))
"""
CACHE = """
STORE = {}

class KeyValueCache:
    def update(self, key, value):
        old = STORE.get(key.shape[:2] + key.shape[3:])
        both = (key, value)
        if old is not None:
            both = torch.cat([old[0], key], 2), torch.cat([old[1], value], 2)
        STORE[key.shape[:2] + key.shape[3:]] = both
        return both
"""
