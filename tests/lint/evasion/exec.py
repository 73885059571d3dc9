import torch

name = input
run = exec  # want: evasion
run("x = 1")  # want: evasion
eval("1 + 1")  # want: evasion
getattr(torch, name())  # want: evasion
forward = lambda x: x
forward.__code__ = None  # want: evasion


class Model(torch.nn.Module):
    def forward(self, x):
        self.eval()
        return torch.compile(x)
