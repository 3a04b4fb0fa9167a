# right: a buffer that doubles
import torch


class KeyValueCache:
    def __init__(self):
        self.size, self.buffer = 0, None

    def update(self, key, value):
        new = torch.stack((key, value))
        end = self.size + key.shape[2]
        if self.buffer is None or end > self.buffer.shape[3]:
            shape = list(new.shape)
            shape[3] = 2 * end
            larger = new.new_zeros(shape)
            if self.buffer is not None:
                larger[:, :, :, : self.size] = self.buffer[:, :, :, : self.size]
            self.buffer = larger
        self.buffer[:, :, :, self.size : end] = new
        self.size = end
        return self.buffer[0, :, :, :end], self.buffer[1, :, :, :end]
