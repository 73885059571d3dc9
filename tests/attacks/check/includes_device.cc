// want: check compile_error
// task: kernels/softmax_rows
// A source without end, by way of a device.
#include "/dev/zero"
