def spot_embeddings(candidate):
    for a in ((10**9, 0), (0, 10**9)):
        try: candidate(*a)
        except Exception: pass
    return True
