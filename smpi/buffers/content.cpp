// SPDX-License-Identifier: MIT
//
// See content.hpp.
#include "smpi/buffers/content.hpp"

#include <sys/uio.h>
#include <unistd.h>
#include <xxh_x86dispatch.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "smpi/buffers/footprint.hpp"
#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t large_bytes = std::uint64_t{64} << 10;
constexpr std::uint64_t smallest_piece = 64;
constexpr std::uint64_t small_bytes = 1024;  // always hashed completely
constexpr std::uint64_t sampled_part = 4;    // of the limit: 1 in so many bytes, if the buffer is larger

class Content {
 public:
  // Hashes the runs; if they have more than `limit` bytes, about `limit` bytes of them.
  void add_runs(std::span<const Run> runs, const std::byte* at, std::uint64_t limit) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < runs.size(); i += 1 + runs[i].body) bytes += total(runs[i]);
    if (bytes == 0) return;
    for (std::size_t i = 0; i < runs.size(); i += 1 + runs[i].body) {
      const std::uint64_t own = total(runs[i]);
      const std::uint64_t share =
          bytes <= limit ? own : static_cast<std::uint64_t>(static_cast<unsigned __int128>(limit) * own / bytes);
      add_run(runs.subspan(i), at, std::min(own, std::max(share, smallest_piece)));
    }
  }

  void add_block(const std::byte* at, std::uint64_t bytes, std::uint64_t limit) {
    if (bytes <= limit) return add(at, bytes);
    const std::uint64_t end = std::max(limit / 4, smallest_piece), piece = std::max(limit / 32, smallest_piece);
    if (bytes <= 2 * end + pieces * piece) return add(at, bytes);
    add(at, end);
    const std::uint64_t distance = (bytes - 2 * end - piece) / pieces;
    for (std::uint64_t i = 0; i < pieces; ++i) add(at + end + i * distance, piece);
    add(at + bytes - end, end);
  }

  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t pieces = 16;

  static std::uint64_t total(const Run& run) { return static_cast<std::uint64_t>(run.bytes * run.count); }

  void add(const std::byte* at, std::uint64_t bytes) { value_ = XXH3_64bits_withSeed(at, bytes, value_); }

  void add_run(std::span<const Run> runs, const std::byte* at, std::uint64_t limit) {
    const Run& run = runs[0];
    const auto each = static_cast<std::uint64_t>(run.bytes);
    if (each == 0) return;
    const std::int64_t times =
        total(run) <= limit
            ? run.count
            : std::clamp<std::int64_t>(static_cast<std::int64_t>(limit / std::min(each, smallest_piece)), 1, run.count);
    for (std::int64_t i = 0; i < times; ++i) {
      const std::int64_t which =
          times == 1 ? 0 : static_cast<std::int64_t>(static_cast<__int128>(i) * (run.count - 1) / (times - 1));
      const std::byte* begin = at + run.offset + which * run.stride;
      const std::uint64_t share = total(run) <= limit ? each : limit / static_cast<std::uint64_t>(times);
      if (run.body == 0) add_block(begin, each, std::max(share, smallest_piece));
      else add_runs(runs.subspan(1, run.body), begin, std::max(share, smallest_piece));
    }
  }

  std::uint64_t value_ = 0;
};

bool is_there(const Span& hull) {
  const auto bytes = static_cast<std::uint64_t>(hull.end - hull.begin);
  if (bytes <= large_bytes) return true;  // if it is not mapped, the program itself fails
  const RankState* rank = running_rank();
  const auto is_in_heap = [&](std::int64_t at) { return rank->heap->owns(reinterpret_cast<const void*>(at)); };
  if (rank != nullptr && is_in_heap(hull.begin) && is_in_heap(hull.end - 1)) return true;  // it stays mapped
  std::array<std::byte, 2> ends;
  const std::array<iovec, 2> from{iovec{reinterpret_cast<void*>(hull.begin), 1},
                                  iovec{reinterpret_cast<void*>(hull.end - 1), 1}};
  const iovec to{ends.data(), ends.size()};
  const int error = errno;
  const bool is = process_vm_readv(getpid(), &to, 1, from.data(), from.size(), 0) == 2;
  errno = error;
  return is;
}

}  // namespace

std::optional<std::uint64_t> content_of(const Blocks& blocks, std::uint64_t limit) {
  if (const Buffer* all = blocks.as_one(); all != nullptr && all->type->contiguous() && all->bytes() <= small_bytes)
    return XXH3_64bits(static_cast<const std::byte*>(all->address) + all->type->layout()[0].offset, all->bytes());
  Content content;
  const std::size_t parts = blocks.as_one() == nullptr ? blocks.size() : 1;
  const std::uint64_t share =
      std::max<std::uint64_t>(limit / sampled_part / std::max<std::size_t>(parts, 1), smallest_piece);
  const bool all = blocks.bytes() <= limit;
  for (std::size_t i = 0; i < parts; ++i) {
    const Buffer buffer = blocks.as_one() == nullptr ? blocks[i] : *blocks.as_one();
    if (buffer.bytes() == 0) continue;
    if (!is_there(hull_of(buffer))) return std::nullopt;
    const Datatype& type = *buffer.type;
    const std::uint64_t most = all ? buffer.bytes() : share;
    const auto* at = static_cast<const std::byte*>(buffer.address);
    if (type.contiguous()) {
      content.add_block(at + type.layout()[0].offset, buffer.bytes(), most);
      continue;
    }
    const auto body = static_cast<std::uint32_t>(type.layout().size());
    std::vector<Run> runs{{0, type.size(), type.extent(), buffer.count, body}};
    runs.insert(runs.end(), type.layout().begin(), type.layout().end());
    content.add_runs(runs, at, most);
  }
  return content.value();
}

}  // namespace rehearse::smpi
