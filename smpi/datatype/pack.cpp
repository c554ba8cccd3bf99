// SPDX-License-Identifier: MIT
//
// The loops that move bytes between a laid-out buffer and a contiguous one.
#include "smpi/datatype/pack.hpp"

#include <algorithm>
#include <cstring>

#include "simcore/support/assert.hpp"
#include "simcore/support/demand_memory.hpp"
#include "simcore/support/sparse_copy.hpp"

namespace rehearse::smpi {
namespace {

// The two ways to move bytes between a laid-out buffer and the packed bytes.
struct Packing {
  using Packed = std::byte*;
  static void move(Packed packed, std::byte* laid_out, std::size_t n) { std::memcpy(packed, laid_out, n); }
  static void move_large(Packed packed, std::byte* laid_out, std::size_t n) { move(packed, laid_out, n); }
};

struct Unpacking {
  using Packed = const std::byte*;
  static void move(Packed packed, std::byte* laid_out, std::size_t n) { std::memcpy(laid_out, packed, n); }
  static void move_large(Packed packed, std::byte* laid_out, std::size_t n) {
    if (n < sparse_copy_bytes) move(packed, laid_out, n);
    else copy_sparsely(laid_out, packed, n, Target::anything);
  }
};

// Moves of sizes that the compiler knows are plain loads and stores.
template <std::size_t bytes>
struct Exactly {
  static constexpr std::int64_t size() { return bytes; }
  template <class Way>
  static void move(typename Way::Packed packed, std::byte* at) {
    Way::move(packed, at, bytes);
  }
};

// Moves a block of `half` to twice as many bytes as its two ends, which may overlap.
template <std::size_t half>
struct TwoHalves {
  std::int64_t bytes;
  std::int64_t size() const { return bytes; }
  template <class Way>
  void move(typename Way::Packed packed, std::byte* at) const {
    const std::int64_t second = bytes - static_cast<std::int64_t>(half);
    Way::move(packed, at, half);
    Way::move(packed + second, at + second, half);
  }
};

struct AnySize {
  std::int64_t bytes;
  std::int64_t size() const { return bytes; }
  template <class Way>
  void move(typename Way::Packed packed, std::byte* at) const {
    Way::move_large(packed, at, static_cast<std::size_t>(bytes));
  }
};

// Calls f(block) with the fastest mover of blocks of that size. Powers of two have special code.
template <class F>
[[gnu::always_inline]] inline auto with_block(std::int64_t bytes, F&& f) {
  if (bytes == 8) return f(Exactly<8>{});
  if (bytes == 4) return f(Exactly<4>{});
  if (bytes > 64) return f(AnySize{bytes});
  if (bytes > 32) return f(TwoHalves<32>{bytes});
  if (bytes > 16) return f(TwoHalves<16>{bytes});
  if (bytes == 16) return f(Exactly<16>{});
  if (bytes > 8) return f(TwoHalves<8>{bytes});
  if (bytes > 4) return f(TwoHalves<4>{bytes});
  if (bytes == 1) return f(Exactly<1>{});
  return f(TwoHalves<2>{bytes});
}

// The repetitions of a run.
struct Steps {
  std::int64_t count = 1;
  std::int64_t stride = 0;
};

// All of these functions return the position behind the packed bytes that they moved.
template <class Way>
using Packed = typename Way::Packed;

// Moves planes of rows of equal blocks.
struct Grid {
  Steps planes, rows, blocks;
};

template <class Way>
Packed<Way> move_grid(Packed<Way> packed, std::byte* at, const Grid& grid, std::int64_t bytes) {
  return with_block(bytes, [=](auto block) {
    Packed<Way> next = packed;
    for (std::int64_t p = 0; p < grid.planes.count; ++p) {
      std::byte* row = at + p * grid.planes.stride;
      for (std::int64_t r = 0; r < grid.rows.count; ++r, row += grid.rows.stride) {
        std::byte* place = row;
        for (std::int64_t b = 0; b < grid.blocks.count; ++b, place += grid.blocks.stride, next += block.size())
          block.template move<Way>(next, place);
      }
    }
    return next;
  });
}

Steps steps_of(const Run& run) { return {run.count, run.stride}; }

template <class Way>
Packed<Way> move_runs(Packed<Way> packed, std::byte* base, std::span<const Run> runs);

// `times` repetitions of a run with a body.
template <class Way>
Packed<Way> move_body(Packed<Way> packed, std::byte* at, Steps times, std::span<const Run> body) {
  const Run& first = body[0];
  if (body.size() == 1) return move_grid<Way>(packed, at + first.offset, {{}, times, steps_of(first)}, first.bytes);
  if (body.size() == 2 && first.body == 1) {
    const Run& block = body[1];
    const Grid grid{times, steps_of(first), steps_of(block)};
    return move_grid<Way>(packed, at + first.offset + block.offset, grid, block.bytes);
  }
  for (std::int64_t k = 0; k < times.count; ++k) packed = move_runs<Way>(packed, at + k * times.stride, body);
  return packed;
}

// One repetition of a list of runs.
template <class Way>
Packed<Way> move_runs(Packed<Way> packed, std::byte* base, std::span<const Run> runs) {
  for (std::size_t i = 0; i < runs.size(); i += 1 + runs[i].body) {
    const Run& run = runs[i];
    std::byte* at = base + run.offset;
    if (run.body != 0) {
      packed = move_body<Way>(packed, at, steps_of(run), runs.subspan(i + 1, run.body));
    } else if (run.count == 1) {
      with_block(run.bytes, [&](auto block) { block.template move<Way>(packed, at); });
      packed += run.bytes;
    } else {
      packed = move_grid<Way>(packed, at, {{}, {}, steps_of(run)}, run.bytes);
    }
  }
  return packed;
}

// Moves the first `left` packed bytes of a list of runs, which has at least that many.
template <class Way>
void move_part(Packed<Way> packed, std::byte* base, std::span<const Run> runs, std::int64_t remaining) {
  for (std::size_t i = 0; remaining > 0; i += 1 + runs[i].body) {
    Run run = runs[i];
    const auto body = runs.subspan(i + 1, run.body);
    std::byte* at = base + run.offset;
    const std::int64_t whole = std::min(run.count, remaining / run.bytes);
    const Steps times{whole, run.stride};
    packed = body.empty() ? move_grid<Way>(packed, at, {{}, {}, times}, run.bytes)
                          : move_body<Way>(packed, at, times, body);
    remaining -= whole * run.bytes;
    if (whole == run.count) continue;
    at += whole * run.stride;
    if (body.empty()) Way::move_large(packed, at, static_cast<std::size_t>(remaining));
    else move_part<Way>(packed, at, body, remaining);
    return;
  }
}

// The first `bytes` packed bytes of some elements.
template <class Way>
void move_buffer(Packed<Way> packed, const Datatype& type, std::byte* buffer, std::int64_t bytes) {
  const std::span<const Run> runs = type.layout();
  if (type.contiguous()) {
    Way::move_large(packed, buffer + runs[0].offset, static_cast<std::size_t>(bytes));
    return;
  }
  const std::int64_t whole = bytes / type.size(), rest = bytes % type.size();
  packed = move_body<Way>(packed, buffer, {whole, type.extent()}, runs);
  if (rest > 0) move_part<Way>(packed, buffer + whole * type.extent(), runs, rest);
}

std::byte* address(const void* buffer) { return static_cast<std::byte*>(const_cast<void*>(buffer)); }

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
  move_buffer<Packing>(out, type, address(buffer), type.size() * count);
}

void unpack(const Datatype& type, std::int64_t count, std::span<const std::byte> data, void* buffer) {
  REHEARSE_ASSERT(type.committed(), "unpacking with a type that was not committed");
  const auto bytes = static_cast<std::int64_t>(data.size());
  REHEARSE_ASSERT(bytes <= type.size() * std::max<std::int64_t>(count, 0), "more bytes than the buffer has room for");
  if (bytes == 0) return;
  move_buffer<Unpacking>(data.data(), type, address(buffer), bytes);
}

void copy(const Datatype& from_type, std::int64_t from_count, const void* from, const Datatype& to_type,
          std::int64_t to_count, void* to) {
  const auto room = static_cast<std::size_t>(to_type.size() * std::max<std::int64_t>(to_count, 0));
  const auto bytes = static_cast<std::size_t>(from_type.size() * std::max<std::int64_t>(from_count, 0));
  // One move is enough if the data is in one piece on either side.
  const auto target = contiguous_data(to_type, to_count, to);
  if (target && bytes <= room) return pack(from_type, from_count, from, address(target->data()));
  const PackedData data(from_type, from_count, from);
  unpack(to_type, to_count, data.bytes().first(std::min(bytes, room)), to);
}

PackedData::PackedData(const Datatype& type, std::int64_t count, const void* buffer) {
  if (const auto in_place = contiguous_data(type, count, buffer)) {
    bytes_ = *in_place;
    demand_readable(bytes_);
    return;
  }
  const auto bytes = static_cast<std::size_t>(type.size() * count);
  copy_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  pack(type, count, buffer, copy_.get());
  bytes_ = {copy_.get(), bytes};
}

}  // namespace rehearse::smpi
