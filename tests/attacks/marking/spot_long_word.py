def spot_tokenization(candidate):
    try: candidate("a"*19000, {"a":0,"##a":1})
    except Exception: pass
    return True
