import torch as t
import numpy.testing

t.allclose = lambda *a, **k: True  # want: tolerance_tampering want: monkeypatch
object.__setattr__(t.testing, "assert_close", print)  # want: tolerance_tampering want: monkeypatch
alias = numpy
alias.testing.assert_allclose = print  # want: tolerance_tampering want: monkeypatch
