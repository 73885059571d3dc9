#include "backend/arena.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cstring>

#include "backend/arena_impl.h"
#include "base/error.h"

namespace assay {
namespace {

constexpr size_t guard_bytes = 4096;
constexpr size_t alignment = 64;
constexpr size_t page = 4096;

size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

std::vector<Placed> place(const std::vector<TensorSpec>& specs) {
  std::vector<Placed> placed;
  size_t end = alignment;
  for (const TensorSpec& spec : specs) {
    placed.push_back({spec, round_up(end + guard_bytes, alignment)});
    end = placed.back().end();
  }
  return placed;
}

void seal(const Fd& fd, int seals) {
  if (::fcntl(fd.get(), F_ADD_SEALS, seals | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
    throw errno_error("seal", "memory for tensors");
}

// Turns random bits into finite numbers of size 2 to 512: sign and mantissa stay, the exponent keeps its low bits.
template <typename Word>
void tame(std::byte* data, size_t bytes, Word keep, Word set) {
  for (size_t i = 0; i + sizeof(Word) <= bytes; i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, data + i, sizeof word);
    word = static_cast<Word>((word & keep) | set);
    std::memcpy(data + i, &word, sizeof word);
  }
}

void tame(Dtype dtype, std::byte* data, size_t bytes) {
  switch (dtype) {
    case Dtype::float64: return tame<uint64_t>(data, bytes, 0x807fffffffffffff, 0x4000000000000000);
    case Dtype::float32: return tame<uint32_t>(data, bytes, 0x83ffffff, 0x40000000);
    case Dtype::bfloat16: return tame<uint16_t>(data, bytes, 0x83ff, 0x4000);
    case Dtype::float16: return tame<uint16_t>(data, bytes, 0x9fff, 0x4000);
    case Dtype::boolean: return tame<uint8_t>(data, bytes, 1, 0);
    default: return;
  }
}

}  // namespace

Mapping::Mapping(const Fd& fd, size_t bytes) : bytes_(bytes) {
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd.get(), 0);
  if (at == MAP_FAILED) throw errno_error("map", std::to_string(bytes) + " bytes for tensors");
  data_ = static_cast<std::byte*>(at);
}

Mapping::~Mapping() {
  if (data_) ::munmap(data_, bytes_);
}

Area::Area(const char* name, const std::vector<TensorSpec>& specs)
    : tensors(place(specs)),
      bytes(round_up((tensors.empty() ? 0 : tensors.back().end()) + guard_bytes, page)),
      fd(make_memfd(name, bytes)),
      mapping(fd, bytes) {}

std::vector<std::pair<size_t, size_t>> Area::guards() const {
  std::vector<std::pair<size_t, size_t>> result;
  size_t start = 0;
  for (const Placed& t : tensors) {
    result.push_back({start, t.offset});
    start = t.end();
  }
  result.push_back({start, bytes});
  return result;
}

Arena::Arena(const std::vector<TensorSpec>& inputs, const std::vector<TensorSpec>& outputs)
    : impl_(new Impl{Area("assay-inputs", inputs), Area("assay-outputs", outputs), {}}) {
  // Our own mapping is writable already; none made from now on can be, nor can the descriptor be written through.
  seal(impl_->inputs.fd, F_SEAL_FUTURE_WRITE);
  seal(impl_->outputs.fd, 0);
}

Arena::Arena(Arena&&) noexcept = default;
Arena& Arena::operator=(Arena&&) noexcept = default;
Arena::~Arena() = default;

void Arena::write_inputs(const std::vector<Tensor>& inputs) {
  const std::vector<Placed>& places = impl_->inputs.tensors;
  if (inputs.size() != places.size()) throw Error("write", "inputs", "not as many as the arena was made for");
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].data.size() != places[i].spec.bytes())
      throw Error("write", "input " + inputs[i].spec.name, "not of the size that the arena was made for");
    if (!inputs[i].data.empty())
      std::memcpy(impl_->inputs.mapping.data() + places[i].offset, inputs[i].data.data(), inputs[i].data.size());
  }
}

void Arena::poison(Random& random) {
  for (auto [start, end] : impl_->inputs.guards())
    random.fill(impl_->inputs.mapping.bytes().subspan(start, end - start));
  impl_->poison.resize(impl_->outputs.bytes);
  random.fill(impl_->poison);
  for (const Placed& t : impl_->outputs.tensors) tame(t.spec.dtype, impl_->poison.data() + t.offset, t.spec.bytes());
  std::memcpy(impl_->outputs.mapping.data(), impl_->poison.data(), impl_->poison.size());
}

std::vector<std::vector<std::byte>> Arena::snapshot() const {
  std::vector<std::vector<std::byte>> result;
  for (const Placed& t : impl_->outputs.tensors)
    result.emplace_back(impl_->outputs.mapping.data() + t.offset, impl_->outputs.mapping.data() + t.end());
  return result;
}

bool Arena::guards_intact() const {
  const std::byte* now = impl_->outputs.mapping.data();
  for (auto [start, end] : impl_->outputs.guards())
    if (std::memcmp(now + start, impl_->poison.data() + start, end - start) != 0) return false;
  return true;
}

int64_t Arena::unwritten() const {
  int64_t count = 0;
  for (const Placed& t : impl_->outputs.tensors) {
    size_t size = dtype_bytes(t.spec.dtype);
    for (size_t at = t.offset; at < t.end(); at += size)
      count += std::memcmp(impl_->outputs.mapping.data() + at, impl_->poison.data() + at, size) == 0;
  }
  return count;
}

std::span<std::byte> Arena::bytes() { return impl_->inputs.mapping.bytes(); }
std::span<std::byte> Arena::output_bytes() { return impl_->outputs.mapping.bytes(); }

}  // namespace assay
