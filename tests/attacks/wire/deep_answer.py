def softmax(x, dim):
    answer = []
    for _ in range(100_000): answer = [answer]
    return answer
