// SPDX-License-Identifier: MIT
//
// Memory of windows that other ranks may access now, and the calling rank's own uses of it meanwhile: buffers of its
// MPI calls, and its loads and stores if the program was compiled with --check-memory.
//
// Accesses:  loads (or stores) of one place to consecutive bytes are one use, and bytes that a use has are noted once,
//            so that the uses of a loop over memory are few.
// Limits:    of one exposure at most 4096 uses are kept; the rest is counted.
// Ownership: in the rank's memory, rolled back with it.
// Threads:   only from the rank's own fiber.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "smpi/buffers/footprint.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/buffers/token.hpp"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

// A use of exposed memory by its owner.
struct OwnUse {
  Span hull;
  bool stores = false;
  CreationSite site;                            // of a load or store: without a function
  std::shared_ptr<const Footprint> shape = {};  // null: the whole hull
  std::optional<std::uint64_t> since = {};      // the stretch in which it began, if that is over
};

// The loads and stores among the uses of an exposure.
class AccessIndex {
 public:
  // The use that the last access of this kind and place met, as 1 + its number; 0: none. It may be that of another one.
  std::uint32_t& last(const void* place, bool stores) {
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    return last_[(address ^ address >> 6) % slots][stores];
  }
  std::map<std::int64_t, std::uint32_t>& begins(bool stores) { return begins_[stores]; }

 private:
  static constexpr std::size_t slots = 64;
  std::array<std::array<std::uint32_t, 2>, slots> last_{};
  std::array<std::map<std::int64_t, std::uint32_t>, 2> begins_;  // numbers of uses, by the beginning of their memory
};

// Loops over exposed memory: by place, the end of the use that its last access extended. The next access of the loop
// begins there. Without a search, as most accesses to exposed memory are such.
class AccessRuns {
 public:
  // Whether the access extends the use of its place.
  bool extend(std::int64_t begin, std::int64_t bytes, bool stores, const void* place) {
    const Run& run = runs_[slot_of(place)][stores];
    if (run.place != place || *run.end != begin) return false;
    *run.end += bytes;
    return true;
  }
  // `end` of a use without a shape that began in this stretch; it must stay where it is until clear().
  void begin(std::int64_t& end, bool stores, const void* place) {
    runs_[slot_of(place)][stores] = {place, &end};
    is_empty_ = false;
  }
  void clear() {
    if (!is_empty_) runs_ = {};
    is_empty_ = true;
  }

 private:
  struct Run {
    const void* place = nullptr;
    std::int64_t* end = nullptr;
  };
  static constexpr std::size_t slots = 32;
  static std::size_t slot_of(const void* place) {
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    return (address ^ address >> 5) % slots;
  }

  std::array<std::array<Run, 2>, slots> runs_{};
  bool is_empty_ = true;
};

struct Exposed {
  Span memory;
  std::vector<OwnUse> uses;
  std::uint64_t left_out = 0;
  bool is_shared = false;      // others load and store it
  bool shows_accesses = true;  // the program was compiled with --check-memory
  // A driver has taken the uses (smpi/rma_model); the next use begins a new list. Drivers write it outside of ranks.
  mutable bool is_taken = false;
  AccessIndex accesses = {};
};

class ExposedMemory {
 public:
  // From now on others may access the memory. `owner` names the exposure.
  void add(const void* owner, const Span& memory, bool is_shared = false);
  // The exposure ends; returns what happened in it.
  Exposed end(const void* owner);

  // The exposure that `owner` names, or null.
  const Exposed* find(const void* owner) const {
    const auto known = exposed_.find(owner);
    return known == exposed_.end() ? nullptr : &known->second;
  }

  bool empty() const { return exposed_.empty(); }
  bool meets(const Span& bytes) const;
  bool meets_shared(const Span& bytes) const;
  bool has_shared() const;
  void note(const OwnUse& use);
  // Notes a load or store. If its bytes were noted before: memory around it whose bytes were, too; otherwise empty.
  Span note_access(const Span& bytes, bool stores, const void* place);
  // The same for the next access of a loop over the only exposed memory. False: note_access() must note it.
  bool note_next(std::int64_t begin, std::int64_t bytes, bool stores, const void* place) {
    return sole_ != nullptr && !sole_->is_taken && runs_.extend(begin, bytes, stores, place);
  }
  void watch() const;

  // A pending operation uses the buffer from now on, until it is complete.
  void begin_use(BufferToken token) { begun_[token] = stretch_; }
  // The stretch in which the use began; nothing: it is none of exposed memory.
  std::optional<std::uint64_t> end_use(BufferToken token);

  // The number of times that a driver has taken the uses. Drivers count it outside of ranks.
  std::uint64_t stretch() const { return stretch_; }
  void end_stretch() const { ++stretch_; }

 private:
  // After a change of the exposures, or of a list of uses.
  void settle();

  std::map<const void*, Exposed> exposed_;
  Exposed* sole_ = nullptr;  // the exposure, if there is one only
  AccessRuns runs_;          // of uses of the sole exposure
  std::map<BufferToken, std::uint64_t> begun_;
  mutable std::uint64_t stretch_ = 0;
};

// Whether these bytes may be exposed.
bool may_be_exposed(const Span& bytes);
// Called when pending buffers are no longer watched: keeps watching exposed memory.
void watch_exposed();
// A load or store of the program at `place`. Returns memory around it that need not be noted again; may be empty.
Span note_own_access(const Span& bytes, bool stores, const void* place);
// The same in memory of Watched::exposed(). Later accesses that need not be noted, because all their bytes are, become
// clear.
void note_exposed_access(ExposedMemory& exposed, const Span& bytes, bool stores, const void* place);
// Whether the memory is of a window that other ranks load and store. For an atomic access in C, reports that its order
// among others is not explored.
bool note_shared_atomic(const Span& bytes);
// Whether the calling rank loads and stores memory of others.
bool sees_shared_memory();
// A buffer of the current MPI call.
void note_own_buffer(const BufferUse& use);
// The same buffer is in use until note_own_end().
void note_own_begin(const BufferUse& use, BufferToken token);
void note_own_end(const BufferUse& use, BufferToken token);

}  // namespace rehearse::smpi
