import functools
import torch

cache = {}


def forward(x):
    if id(x) in cache:  # want: carries_results
        return cache[x.data_ptr()]  # want: carries_results
    y = x * 2
    cache[(id(x), x._version)] = y  # want: carries_results
    assert x.data_ptr() % 16 == 0
    aligned = x.data_ptr() % 16 == 0
    return y


@functools.lru_cache  # want warning: carries_results
def plan(n):
    return n * 2
