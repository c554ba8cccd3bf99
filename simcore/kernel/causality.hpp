// SPDX-License-Identifier: MIT
//
// Happens-before between the steps of actors, for races on plain accesses to shared variables.
//
// Clocks:  a vector clock for each actor and each object that orders actors (Mattern 1989; the accesses are compared
//          by epochs as in FastTrack, Flanagan and Freund 2009). An action whose objects are unknown counts as ordered
//          with all other such actions, so a race can be missed there, but none is invented.
// Errors:  none. Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

// An access to a shared variable.
struct VariableAccess {
  enum class Kind : std::uint8_t { plain_read, plain_write, atomic_read, atomic_write } kind = Kind::plain_read;
  std::string actor, host;
  std::vector<std::uint64_t> frames;  // addresses of code, innermost first

  bool is_plain() const { return kind == Kind::plain_read || kind == Kind::plain_write; }
  bool writes() const { return kind == Kind::plain_write || kind == Kind::atomic_write; }
};

// "reads it", "writes it (atomic)"
std::string text_of(const VariableAccess& access);

// Two accesses that nothing orders: at least one writes, and at least one is plain.
struct VariableRace {
  VariableAccess first, second;
};

// The accesses to one variable: of each actor and kind, the latest.
class AccessHistory {
 public:
  struct Entry {
    std::uint32_t pid = 0;
    std::uint32_t epoch = 0;
    VariableAccess access;
  };
  std::vector<Entry>& entries() { return entries_; }

 private:
  std::vector<Entry> entries_;
};

class Causality {
 public:
  // The actor's past happens before the future of whoever acquires this object.
  void releases(const ActorRecord& self, std::uint64_t object);
  void acquires(const ActorRecord& self, std::uint64_t object);
  // Whoever acquires `into` acquires what was released to `from`, too.
  void merges(std::uint64_t into, std::uint64_t from);
  // An action on objects that are not known.
  void touches_anything(const ActorRecord& self);
  // The past of `before` happens before the future of `after`.
  void orders(const ActorRecord& before, const ActorRecord& after);

  // Remembers the access. Returns its race with an earlier one, if there is one.
  std::optional<VariableRace> access(const ActorRecord& self, AccessHistory& history, VariableAccess access);

 private:
  using Clock = std::vector<std::uint32_t>;  // by pid - 1

  Clock& clock_of(const ActorRecord& actor);
  static void join(Clock& into, const Clock& from);

  std::vector<Clock> actors_;
  std::unordered_map<std::uint64_t, Clock> objects_;
};

// The functions of Causality for the running actor; without effect in a world that does not explore.
void note_release(std::uint64_t object);
void note_acquire(std::uint64_t object);
void note_anything();

}  // namespace rehearse::sim::kernel
