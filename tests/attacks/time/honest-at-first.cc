// Honest for a dozen calls, long enough for a check and a warm-up, then skips half of every prefix.
// want: time wrong_output_when_timed
extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  static int calls = 0;
  honest(Problem(inputs, outputs), ++calls > 12 ? 0.5 : 1);
}
