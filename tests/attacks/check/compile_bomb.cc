// want: check compile_timeout compile_error
// task: kernels/softmax_rows
// Templates that double at each level: the compiler would work for years, or until its memory ends.
template <unsigned long N, unsigned long M>
struct Bomb {
  Bomb<N - 1, M * 2> left;
  Bomb<N - 1, M * 2 + 1> right;
};
template <unsigned long M>
struct Bomb<0, M> {
  char fuse;
};
Bomb<40, 1> bomb;
