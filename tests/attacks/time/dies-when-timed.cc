// Does well a few times, then kills the process, to see whether a timer keeps the numbers of a process that has died.
// want: time crashed
#include <cstdlib>
extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  static int calls = 0;
  if (++calls == 3) std::abort();
  honest(Problem(inputs, outputs));
}
