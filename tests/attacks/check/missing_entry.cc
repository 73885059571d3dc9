// want: check load_error
// task: kernels/softmax_rows
// Compiles, and has nothing to call.
int nothing;
