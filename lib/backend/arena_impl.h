// Inside of Arena, for the two files of this room that need it: arena.cc and process.cc.
#pragma once

#include <utility>

#include "backend/arena.h"

namespace assay {

class Mapping {  // a shared, writable mapping of a whole memfd
 public:
  Mapping(const Fd& fd, size_t bytes);
  Mapping(Mapping&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping();
  std::byte* data() const { return data_; }
  std::span<std::byte> bytes() const { return {data_, bytes_}; }

 private:
  std::byte* data_;
  size_t bytes_;
};

struct Placed {
  TensorSpec spec;
  size_t offset;
  size_t end() const { return offset + spec.bytes(); }
};

// Tensors in one memfd, guards between them.
struct Area {
  Area(const char* name, const std::vector<TensorSpec>& specs);

  std::vector<std::pair<size_t, size_t>> guards() const;  // {start, end} of every stretch that holds no tensor

  std::vector<Placed> tensors;
  size_t bytes;
  Fd fd;
  Mapping mapping;
};

struct Arena::Impl {
  Area inputs;
  Area outputs;
  std::vector<std::byte> poison;  // what the outputs' mapping held after the last poison()
};

}  // namespace assay
