// SPDX-License-Identifier: MIT
//
// See thread_accesses.hpp.
#include "smpi/process/thread_accesses.hpp"

#include <algorithm>

namespace rehearse::smpi {

void VectorClock::advance(ThreadNumber thread) {
  if (thread >= steps_.size()) steps_.resize(thread + 1);
  ++steps_[thread];
}

void VectorClock::join(const VectorClock& other) {
  if (steps_.size() < other.steps_.size()) steps_.resize(other.steps_.size());
  for (std::size_t i = 0; i < other.steps_.size(); ++i) steps_[i] = std::max(steps_[i], other.steps_[i]);
}

std::optional<ThreadAccess> ThreadAccesses::add(const Span& bytes, const ThreadAccess& access, const VectorClock& now) {
  for (std::int64_t word = bytes.begin / word_bytes; word * word_bytes < bytes.end; ++word) {
    const std::int64_t begin = std::max<std::int64_t>(bytes.begin - word * word_bytes, 0);
    const std::int64_t end = std::min<std::int64_t>(bytes.end - word * word_bytes, word_bytes);
    const auto mask = static_cast<std::uint8_t>((0xff >> (word_bytes - (end - begin))) << begin);
    std::vector<Part>& parts = words_[word];
    for (const Part& part : parts)
      if ((part.bytes & mask) != 0 && (part.access.stores || access.stores) &&
          part.access.is_concurrent(access.thread, now))
        return part.access;
    // An earlier access of the same thread happens before whatever this one happens before.
    std::erase_if(parts, [&](const Part& part) {
      return part.access.thread == access.thread && (part.bytes & ~mask) == 0 && (access.stores || !part.access.stores);
    });
    parts.push_back({access, mask});
  }
  return std::nullopt;
}

}  // namespace rehearse::smpi
