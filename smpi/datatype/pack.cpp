// SPDX-License-Identifier: MIT
//
// The loops that move bytes between a laid-out buffer and a contiguous one.
#include "smpi/datatype/pack.hpp"

#include <algorithm>
#include <cstring>

#include "simcore/support/assert.hpp"
#include "simcore/support/sparse_copy.hpp"

namespace rehearse::smpi {
namespace {

// Moves bytes one way; `packed` advances, `left` is how many packed bytes there still are.
struct Packer {
  std::byte* packed;
  std::int64_t left;
  void move(std::byte* laid_out, std::int64_t n) { std::memcpy(packed, laid_out, n); }
};

struct Unpacker {
  const std::byte* packed;
  std::int64_t left;
  void move(std::byte* laid_out, std::int64_t n) {
    if (n < std::int64_t{sparse_copy_bytes}) std::memcpy(laid_out, packed, n);
    else copy_sparsely(laid_out, packed, static_cast<std::size_t>(n), Target::anything);
  }
};

template <class Mover>
void advance(Mover& mover, std::int64_t n) {
  mover.packed += n;
  mover.left -= n;
}

// Blocks of a size that the compiler knows become plain loads and stores.
template <std::int64_t bytes, class Mover>
void move_equal_blocks(Mover& mover, std::byte* at, std::int64_t count, std::int64_t stride) {
  for (; count > 0; --count, at += stride) {
    mover.move(at, bytes);
    mover.packed += bytes;
  }
}

template <class Mover>
void move_run(Mover& mover, std::byte* at, const Run& run) {
  const std::int64_t whole = std::min(run.count, mover.left / run.bytes);
  switch (run.bytes) {
    case 1:
      move_equal_blocks<1>(mover, at, whole, run.stride);
      break;
    case 2:
      move_equal_blocks<2>(mover, at, whole, run.stride);
      break;
    case 4:
      move_equal_blocks<4>(mover, at, whole, run.stride);
      break;
    case 8:
      move_equal_blocks<8>(mover, at, whole, run.stride);
      break;
    case 16:
      move_equal_blocks<16>(mover, at, whole, run.stride);
      break;
    default:
      for (std::int64_t i = 0; i < whole; ++i) {
        mover.move(at + i * run.stride, run.bytes);
        mover.packed += run.bytes;
      }
  }
  mover.left -= whole * run.bytes;
  if (whole < run.count && mover.left > 0) {
    mover.move(at + whole * run.stride, mover.left);
    advance(mover, mover.left);
  }
}

// One repetition of a list of runs. Stops when nothing is left.
template <class Mover>
void move_runs(Mover& mover, std::byte* base, std::span<const Run> runs) {
  for (std::size_t i = 0; i < runs.size() && mover.left > 0; i += 1 + runs[i].body) {
    const Run& run = runs[i];
    if (run.body == 0) {
      move_run(mover, base + run.offset, run);
      continue;
    }
    const auto body = runs.subspan(i + 1, run.body);
    for (std::int64_t k = 0; k < run.count && mover.left > 0; ++k)
      move_runs(mover, base + run.offset + k * run.stride, body);
  }
}

template <class Mover>
void move_buffer(Mover mover, const Datatype& type, std::int64_t count, std::byte* buffer) {
  const std::span<const Run> runs = type.layout();
  if (runs.size() == 1 && (runs[0].count == 1 || count == 1)) {
    Run run = runs[0];
    if (type.contiguous()) {
      run.bytes *= count;
    } else if (run.count == 1) {
      run.stride = type.extent();
      run.count = count;
    }
    move_run(mover, buffer + run.offset, run);
    return;
  }
  for (std::int64_t i = 0; i < count && mover.left > 0; ++i)
    move_runs(mover, buffer + i * type.extent(), runs);
}

std::byte* address(const void* buffer) {
  return static_cast<std::byte*>(const_cast<void*>(buffer));
}

}  // namespace

std::optional<std::span<const std::byte>> contiguous_data(const Datatype& type, std::int64_t count,
                                                          const void* buffer) {
  REHEARSE_ASSERT(type.committed(), "the data of a type that was not committed");
  if (count <= 0 || type.size() == 0) return std::span<const std::byte>();
  if (!(type.contiguous() || (count == 1 && type.one_block()))) return std::nullopt;
  return std::span<const std::byte>(address(buffer) + type.layout()[0].offset,
                                    static_cast<std::size_t>(type.size() * count));
}

void pack(const Datatype& type, std::int64_t count, const void* buffer, std::byte* out) {
  REHEARSE_ASSERT(type.committed(), "packing with a type that was not committed");
  if (count <= 0 || type.size() == 0) return;
  move_buffer(Packer{out, type.size() * count}, type, count, address(buffer));
}

void unpack(const Datatype& type, std::int64_t count, std::span<const std::byte> data,
            void* buffer) {
  REHEARSE_ASSERT(type.committed(), "unpacking with a type that was not committed");
  const auto bytes = static_cast<std::int64_t>(data.size());
  REHEARSE_ASSERT(bytes <= type.size() * std::max<std::int64_t>(count, 0),
                  "more bytes than the buffer has room for");
  if (bytes == 0) return;
  move_buffer(Unpacker{data.data(), bytes}, type, count, address(buffer));
}

void copy(const Datatype& from_type, std::int64_t from_count, const void* from,
          const Datatype& to_type, std::int64_t to_count, void* to) {
  const PackedData data(from_type, from_count, from);
  const auto room = static_cast<std::size_t>(to_type.size() * std::max<std::int64_t>(to_count, 0));
  unpack(to_type, to_count, data.bytes().first(std::min(data.bytes().size(), room)), to);
}

PackedData::PackedData(const Datatype& type, std::int64_t count, const void* buffer) {
  if (const auto in_place = contiguous_data(type, count, buffer)) {
    bytes_ = *in_place;
    return;
  }
  copy_.resize(static_cast<std::size_t>(type.size() * count));
  pack(type, count, buffer, copy_.data());
  bytes_ = copy_;
}

}  // namespace rehearse::smpi
