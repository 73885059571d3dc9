// Returns at once; a thread goes on writing the output after the call has been answered.
// want: time wrong_output_when_timed
#include <thread>
extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  std::thread([p] { honest(p); }).detach();
}
