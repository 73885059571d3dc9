import sys
import torch
from unittest import mock

torch.backends.cuda.matmul.allow_tf32 = True  # want: monkeypatch
sys.modules["triton"] = None  # want: monkeypatch want warning: reads_verifier
torch.__dict__.update(matmul=None)  # want: monkeypatch want: evasion
mock.patch("torch.matmul", None)  # want: monkeypatch
self_attribute = torch.nn.Module()
self_attribute.weight = 3
del torch.nn.Linear  # want: monkeypatch
