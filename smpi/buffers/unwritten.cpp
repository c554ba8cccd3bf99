// SPDX-License-Identifier: MIT
//
// See unwritten.hpp.
#include "smpi/buffers/unwritten.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/buffers/accesses.hpp"
#include "smpi/buffers/footprint.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/amount.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t marked_max = std::size_t{256} << 10;
constexpr std::uint64_t looked_at_max = std::uint64_t{1} << 20;
constexpr std::uint64_t mark = 0xb5e1'93cd'7ac9'd54b;  // not a small number, pointer, text or common fraction
constexpr std::size_t word = sizeof mark;

struct Stretch {
  std::uint64_t begin = 0, end = 0;
};

bool is_marked(const std::byte* at) {
  std::uint64_t value;
  std::memcpy(&value, at, word);
  return value == mark;
}

// The first unwritten part of these bytes; `rest`: the address of the first byte modulo the size of a word.
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

namespace {

// Received marks: the words from `words.begin` on that still contain the mark.
struct Arrived {
  Span words;
  CreationSite received;
  DataOrigin from;
};

struct UnwrittenData {
  static constexpr std::size_t max_count = 64;
  std::vector<Arrived> arrived;
  bool is_noted = false;  // a send of such memory was reported
};

const std::byte* byte_at(std::int64_t address) { return reinterpret_cast<const std::byte*>(address); }

bool is_there(const Arrived& arrived, const Span& bytes) {
  const auto size = static_cast<std::int64_t>(word);
  const std::int64_t begin = arrived.words.begin, end = std::min(bytes.end, arrived.words.end);
  const std::int64_t before = std::max(bytes.begin, begin) - begin;
  for (std::int64_t at = begin + before / size * size; at < end; at += size)
    if (is_marked(byte_at(at))) return true;
  return false;
}

// From the first mark to behind the last one; empty: there is none.
Span words_in(std::span<const std::byte> data) {
  const auto begin = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data.data()));
  const std::size_t bytes = std::min<std::size_t>(data.size(), looked_at_max);
  for (std::size_t first = 0; first + word <= bytes; first += word / 2) {
    if (!is_marked(data.data() + first)) continue;
    std::size_t end = first;
    for (std::size_t at = first; at + word <= bytes; at += word)
      if (is_marked(data.data() + at)) end = at + word;
    return {begin + static_cast<std::int64_t>(first), begin + static_cast<std::int64_t>(end)};
  }
  return {};
}

void report_read(const Arrived& arrived, const void* place) {
  const LibraryCode not_measured;
  const Frame here = find_source(static_cast<const char*>(place) - 1);
  const std::string reader = here.file.empty() ? "" : fmt::format(" at {}:{}", here.file, here.line);
  const std::string sender = arrived.from.sender ? fmt::format("rank {}", arrived.from.sender->value) : "its sender";
  const bool has_site = arrived.from.site.function[0] != '\0';
  const std::string sent = has_site ? fmt::format(" sent by {} and", text_of(arrived.from.site)) : "";
  std::vector<ReportedPlace> places{{{"", place}, "reads it"}, {arrived.received, "has received it"}};
  if (has_site) places.push_back({arrived.from.site, "sends it", arrived.from.sender});
  report_at("buffer.uninitialized", Severity::warning,
            fmt::format("reads{} data that {}{} never wrote since it was allocated, received by {}", reader, sender,
                        sent, text_of(arrived.received)),
            places);
}

}  // namespace

void note_arrived(const std::byte* data, std::size_t bytes, const DataOrigin& from) {
  const auto begin = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data));
  forget_arrived({begin, begin + static_cast<std::int64_t>(bytes)});
  const Span words = words_in({data, bytes});
  if (words.empty()) return;
  std::vector<Arrived>& arrived = per_rank<UnwrittenData>().arrived;
  if (arrived.size() == UnwrittenData::max_count) return;
  arrived.push_back({words, creation_site(), from});
  watch_span(words);
}

void watch_arrived() {
  const auto* all = find_per_rank<UnwrittenData>();
  if (all == nullptr) return;
  for (const Arrived& arrived : all->arrived) watch_span(arrived.words);
}

void forget_arrived(const Span& bytes) {
  auto* all = find_per_rank<UnwrittenData>();
  if (all != nullptr) std::erase_if(all->arrived, [&](const Arrived& arrived) { return arrived.words.meets(bytes); });
}

bool may_be_arrived(const Span& bytes) {
  const auto* all = find_per_rank<UnwrittenData>();
  return all != nullptr &&
         std::ranges::any_of(all->arrived, [&](const Arrived& arrived) { return arrived.words.meets(bytes); });
}

bool check_read(const Span& bytes, const void* place) {
  if (!may_be_arrived(bytes)) return false;
  const std::vector<Arrived> arrived = per_rank<UnwrittenData>().arrived;  // a copy: a report may end the rank
  for (const Arrived& each : arrived)
    if (each.words.meets(bytes) && is_there(each, bytes) &&
        per_rank<PendingBuffers>().is_first_report(place, each.received.return_address))
      report_read(each, place);
  return true;
}

void check_written(const Blocks& sent, bool combined) {
  if (sent.bytes() == 0) return;
  const CreationSite here = creation_site();
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const Buffer buffer = sent[i];
    const std::optional<Stretch> part = find_in(buffer);
    if (!part) continue;
    if (!combined && std::exchange(per_rank<UnwrittenData>().is_noted, true)) return;
    if (!per_rank<PendingBuffers>().is_first_report(here.return_address, &mark)) return;
    report("buffer.uninitialized", combined ? Severity::warning : Severity::note,
           fmt::format("{} {} {} of {}, from byte {} on, that were never written since they were allocated{}",
                       text_of(here), combined ? "computes with" : "sends", bytes_text(part->end - part->begin),
                       amount_text(buffer.count, *buffer.type), part->begin,
                       combined ? "" : "; this is a warning if the receiver reads them"));
    return;
  }
}

}  // namespace rehearse::smpi
