import contextlib
import torch


def forward(x):
    try:
        return kernel(x)
    except Exception:  # want warning: fallback
        return torch.relu(x)


def build():
    try:
        import triton
    except ImportError:
        triton = None
    with contextlib.suppress(Exception):  # want warning: fallback
        build()
    try:
        return build()
    except ValueError as e:
        raise RuntimeError(str(e))
