# right: one row after the other, Python lists and a running sum
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    result = []
    for row in logits:
        scaled = (row.double() / temperature).tolist()
        indices = sorted(range(len(scaled)), key=lambda i: scaled[i], reverse=True)
        if top_k is not None:
            indices = indices[:top_k]
        chances = torch.softmax(torch.tensor([scaled[i] for i in indices], dtype=torch.float64), dim=0).tolist()
        if top_p is not None:
            together = 0.0
            kept = 0
            for c in chances:
                together += c
                kept += 1
                if together >= top_p:
                    break
            indices = indices[:kept]
            chances = chances[:kept]
        number = torch.rand(1, generator=generator, dtype=torch.float64).item() * sum(chances)
        drawn = indices[0]
        running = 0.0
        for i, c in zip(indices, chances):
            running += c
            if number < running:
                drawn = i
                break
        result.append(drawn)
    return torch.tensor(result, dtype=torch.long)
