import time
import torch
import torch.cuda as tc
from torch.cuda import Event as E

n = 7 // 2; torch.cuda.Event.elapsed_time = lambda self, other: 0.001  # want: timer_tampering want: monkeypatch
s = "#"; setattr(E, "elapsed" + "_time", None)  # want: timer_tampering want: monkeypatch
tc.synchronize: object = lambda: None  # want: timer_tampering want: monkeypatch
clock = __import__("time")
clock.perf_counter = lambda: 0.0  # want: timer_tampering want: monkeypatch
vars(time)["monotonic"] = None  # want: timer_tampering want: monkeypatch
time.__dict__["time"] = None  # want: timer_tampering want: monkeypatch
getattr(torch, "cuda").Event.record = None  # want: timer_tampering want: monkeypatch
for torch.cuda.Event.query in [1]:  # want: timer_tampering want: monkeypatch
    pass


def forward(x):
    start = time.perf_counter()  # want warning: timer_tampering
    return x * start
