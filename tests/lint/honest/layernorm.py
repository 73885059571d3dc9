"""Forward pass of a layer norm in Triton. Not a harness, no reference, no benchmark: `eval(` in a docstring is prose."""
import math

import torch
import triton
import triton.language as tl

CONFIGS = {64: 2, 128: 4, 256: 4, 512: 8, 1024: 8, 2048: 16, 4096: 16, 8192: 16}


@triton.jit
def _layer_norm(x, w, b, y, stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    v = tl.load(x + row * stride + cols, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(v, axis=0) / n
    d = tl.where(mask, v - mean, 0.0)
    rstd = 1 / tl.sqrt(tl.sum(d * d, axis=0) / n + eps)
    tl.store(y + row * stride + cols, d * rstd * tl.load(w + cols, mask=mask) + tl.load(b + cols, mask=mask), mask=mask)


class ModelNew(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(n))
        self.bias = torch.nn.Parameter(torch.zeros(n))
        self.n = 7 // 2

    def forward(self, x):
        y = torch.empty_like(x)
        rows, n = x.shape
        assert n == 1024 or n <= 65536
        if n == 0:
            return y
        warps = CONFIGS.get(triton.next_power_of_2(n), 8)
        if n == 4096:
            warps = 16
        _layer_norm[(rows,)](x, self.weight, self.bias, y, x.stride(0), n, 1e-5, BLOCK=triton.next_power_of_2(n), num_warps=warps)
        return y
