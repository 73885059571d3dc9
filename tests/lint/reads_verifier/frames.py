import gc
import inspect
import os
import sys
import reference  # want: reads_verifier

io = open


def forward(x):
    frame = inspect.stack()[1]  # want: reads_verifier
    caller = sys._getframe(1).f_back.f_locals  # want: reads_verifier
    everything = gc.get_objects()  # want: reads_verifier
    text = io("task.json").read()  # want: reads_verifier
    mode = os.environ["MODE"]  # want warning: reads_verifier
    return x
