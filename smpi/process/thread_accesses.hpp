// SPDX-License-Identifier: MIT
//
// The memory accesses of a team's threads since its last barrier, each with the moment of its thread.
//
// Method:    vector clocks: an access happens before another thread's present moment if that thread knows at least as
//            many steps of the first one (C. Flanagan, S. Freund, FastTrack, PLDI 2009). Bytes are kept in words.
// Units:     steps: a thread makes one each time that others may learn what it has done.
// Ownership: in the rank's memory, rolled back with it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "smpi/buffers/footprint.hpp"
#include "smpi/process/rank_threads.hpp"

namespace rehearse::smpi {

// The number of steps of each thread that happened before a moment.
class VectorClock {
 public:
  std::uint32_t operator[](ThreadNumber thread) const { return thread < steps_.size() ? steps_[thread] : 0; }
  void advance(ThreadNumber thread);
  void join(const VectorClock& other);

 private:
  std::vector<std::uint32_t> steps_;
};

struct ThreadAccess {
  ThreadNumber thread = 0;
  std::uint32_t step = 0;  // of its thread
  bool stores = false;
  const void* place = nullptr;  // a return address in the program; null: not known

  // Whether nothing orders it before the moment `now` of the thread `other`.
  bool is_concurrent(ThreadNumber other, const VectorClock& now) const { return thread != other && step > now[thread]; }
};

class ThreadAccesses {
 public:
  // Adds the access. Returns an earlier one of another thread that touches a common byte, if one of the two stores and
  // nothing orders them. `now`: the moment of the access.
  std::optional<ThreadAccess> add(const Span& bytes, const ThreadAccess& access, const VectorClock& now);

  // Calls f(const Span&, const ThreadAccess&) for all accesses to bytes of this span, in no order, until it returns
  // true.
  template <class F>
  void for_each_in(const Span& hull, F&& f) const {
    for (std::int64_t word = hull.begin / word_bytes; word * word_bytes < hull.end; ++word) {
      const auto found = words_.find(word);
      if (found == words_.end()) continue;
      for (const Part& part : found->second)
        for (int byte = 0; byte < word_bytes; ++byte) {
          const std::int64_t at = word * word_bytes + byte;
          if ((part.bytes >> byte & 1) != 0 && hull.meets({at, at + 1}) && f(Span{at, at + 1}, part.access)) return;
        }
    }
  }

  void clear() { words_.clear(); }

 private:
  static constexpr int word_bytes = 8;

  struct Part {
    ThreadAccess access;
    std::uint8_t bytes = 0;  // a bit for each byte of the word
  };

  std::unordered_map<std::int64_t, std::vector<Part>> words_;  // by address / word_bytes
};

}  // namespace rehearse::smpi
