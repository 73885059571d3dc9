// No attack: honest, and truly faster than the baseline.
// want: ok
extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  honest(Problem(inputs, outputs));
}
