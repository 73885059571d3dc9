// want: check compile_error
// task: kernels/softmax_rows
// Takes the reference's source for its own; only the headers of the task's folder are there.
#define reference softmax_rows
#include "reference.cc"
