import os
import sys
import threading as t
from subprocess import run as go


def forward(x):
    go(["true"])  # want: calls_out
    t.Thread(target=print).start()  # want: calls_out
    getattr(os, "sys" + "tem")("true")  # want: calls_out
    sys.exit(0)  # want: calls_out
    raise SystemExit(0)  # want: calls_out
