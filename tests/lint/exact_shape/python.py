import torch


def work(x):
    return x * 2


def forward(x):
    rows, columns = x.shape
    if x.shape == (16, 4096):  # want: exact_shape
        return torch.zeros(16, 4096)
    if columns == 4096 and rows > 1:  # want: exact_shape
        return x
    if columns == 128:
        return work(x)
    if x.shape[0] == 77:
        raise ValueError("unsupported")
    return work(x)
