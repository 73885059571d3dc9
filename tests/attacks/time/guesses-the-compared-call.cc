// Bets that a timer compares only some outputs: works in two calls of three, and in the third sleeps as long as to seem
// at work.
// want: time wrong_output_when_timed
#include <unistd.h>
extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  static int calls = 0;
  if (++calls % 3)
    honest(Problem(inputs, outputs));
  else
    ::usleep(1000);
}
