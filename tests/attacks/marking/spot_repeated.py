def spot_embeddings(candidate):
    for a in (([0], 10**9), ("a", 4*10**9)):
        try: candidate(*a)
        except Exception: pass
    return True
