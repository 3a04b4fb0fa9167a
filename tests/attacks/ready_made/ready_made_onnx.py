"""Computes attention by PyTorch's Python for ONNX."""

import torch
import torch.onnx.ops._impl as ops
def scaled_dot_product_attention(query, key, value, mask=None):
    b, q, d = query.shape
    k = key.shape[1]
    m = None if mask is None else (mask != 0).expand(b, q, k).unsqueeze(1)
    f = ops.attention_23._init_fn
    return f(query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1), m, qk_matmul_output_mode=3)[0].squeeze(1)
