// Right in every element, and one element more.
// want: time out_of_bounds_write
extern "C" void extend_attention(const DLTensor* const* inputs, DLTensor* const* outputs) {
  const Problem p(inputs, outputs);
  honest(p);
  int64_t bytes = p.qo_indptr[p.batch] * p.q_heads * p.head_dim * (p.bfloat16 ? 2 : 4);
  static_cast<volatile char*>(p.o_extend)[bytes] ^= 1;
}
