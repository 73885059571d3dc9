import triton
import triton.language as tl


@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    unused = tl.load(x + cols, mask=cols < n)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    tl.store(y + cols, acc, mask=cols < n)  # want: constant_output
