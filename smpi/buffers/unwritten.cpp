// SPDX-License-Identifier: MIT
//
// See unwritten.hpp.
#include "smpi/buffers/unwritten.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "smpi/buffers/footprint.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t marked_max = std::size_t{256} << 10;
constexpr std::uint64_t looked_at_max = std::uint64_t{1} << 20;
constexpr std::uint64_t mark = 0xb5e1'93cd'7ac9'd54b;  // no small number, pointer, text, nor usual fraction
constexpr std::size_t word = sizeof mark;

struct Stretch {
  std::uint64_t begin = 0, end = 0;
};

bool is_marked(const std::byte* at) {
  std::uint64_t value;
  std::memcpy(&value, at, word);
  return value == mark;
}

// The first such part of these bytes, of which the first would lie at an address with this rest.
std::optional<Stretch> find_part(std::span<const std::byte> bytes, std::size_t rest) {
  if (bytes.size() == word / 2 && rest % (word / 2) == 0) {
    std::byte words[word];
    std::memcpy(words, &mark, word);
    if (std::memcmp(bytes.data(), words + rest % word, word / 2) == 0) return Stretch{0, word / 2};
  }
  for (std::size_t i = (word - rest % word) % word; i + word <= bytes.size(); i += word) {
    if (!is_marked(bytes.data() + i)) continue;
    std::size_t end = i + word;
    while (end + word <= bytes.size() && is_marked(bytes.data() + end)) end += word;
    return Stretch{i, end};
  }
  return std::nullopt;
}

std::optional<Stretch> find_in(const Buffer& buffer) {
  const std::uint64_t bytes = std::min(buffer.bytes(), looked_at_max);
  if (bytes == 0) return std::nullopt;
  if (buffer.type->contiguous()) {
    const auto begin = static_cast<std::uintptr_t>(hull_of(buffer).begin);
    return find_part({reinterpret_cast<const std::byte*>(begin), bytes}, begin % word);
  }
  const std::int64_t elements = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes) / buffer.type->size());
  const PackedData packed(*buffer.type, std::min<std::int64_t>(buffer.count, elements), buffer.address);
  return find_part(packed.bytes(), 0);
}

}  // namespace

void mark_unwritten(void* block, std::size_t bytes) {
  auto* at = static_cast<std::byte*>(block);
  bytes = std::min(bytes, marked_max);
  for (; bytes >= word; at += word, bytes -= word) std::memcpy(at, &mark, word);
  std::memcpy(at, &mark, bytes);
}

void check_written(const Blocks& sent) {
  if (sent.bytes() == 0) return;
  const CreationSite here = creation_site();
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const Buffer buffer = sent[i];
    const std::optional<Stretch> part = find_in(buffer);
    if (!part) continue;
    if (!per_rank<PendingBuffers>().is_news(here.return_address, &mark)) return;
    report("buffer.uninitialized", Severity::warning,
           bytes_text(part->end - part->begin) + " of " + bytes_text(buffer.bytes()) + " that are sent, from byte " +
               std::to_string(part->begin) + " on, were never written since they were allocated");
    return;
  }
}

}  // namespace rehearse::smpi
