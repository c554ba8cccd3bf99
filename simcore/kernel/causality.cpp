// SPDX-License-Identifier: MIT
//
// See causality.hpp.
#include "simcore/kernel/causality.hpp"

#include <algorithm>
#include <utility>

#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim::kernel {
namespace {

constexpr std::uint64_t anything = 0;  // no object has this number

Causality* causality_here() {
  const ActorRecord* self = running_actor();
  return self != nullptr ? self->kernel->world().causality() : nullptr;
}

}  // namespace

std::string text_of(const VariableAccess& access) {
  return std::string(access.writes() ? "writes it" : "reads it") + (access.is_plain() ? "" : " (atomic)");
}

// An actor begins at 1, so that its accesses are not in the past of others that know nothing about it.
Causality::Clock& Causality::clock_of(const ActorRecord& actor) {
  if (actors_.size() < actor.pid) actors_.resize(actor.pid);
  Clock& clock = actors_[actor.pid - 1];
  if (clock.size() < actor.pid) clock.resize(actor.pid);
  if (clock[actor.pid - 1] == 0) clock[actor.pid - 1] = 1;
  return clock;
}

void Causality::join(Clock& into, const Clock& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

void Causality::releases(const ActorRecord& self, std::uint64_t object) {
  Clock& clock = clock_of(self);
  join(objects_[object], clock);
  ++clock[self.pid - 1];
}

void Causality::acquires(const ActorRecord& self, std::uint64_t object) {
  if (const auto found = objects_.find(object); found != objects_.end()) join(clock_of(self), found->second);
}

void Causality::merges(std::uint64_t into, std::uint64_t from) {
  if (const auto found = objects_.find(from); found != objects_.end()) {
    const Clock known = found->second;  // the map may move
    join(objects_[into], known);
  }
}

void Causality::touches_anything(const ActorRecord& self) {
  acquires(self, anything);
  releases(self, anything);
}

void Causality::orders(const ActorRecord& before, const ActorRecord& after) {
  clock_of(after);  // may move the clocks
  Clock& clock = clock_of(before);
  join(clock_of(after), clock);
  ++clock[before.pid - 1];
}

std::optional<VariableRace> Causality::access(const ActorRecord& self, AccessHistory& history, VariableAccess access) {
  const Clock& clock = clock_of(self);
  AccessHistory::Entry* mine = nullptr;
  std::optional<VariableRace> race;
  for (AccessHistory::Entry& entry : history.entries()) {
    if (entry.pid == self.pid) {
      if (entry.access.kind == access.kind) mine = &entry;
      continue;
    }
    const bool conflicts = (entry.access.writes() || access.writes()) && (entry.access.is_plain() || access.is_plain());
    const bool is_past = entry.pid <= clock.size() && entry.epoch <= clock[entry.pid - 1];
    if (conflicts && !is_past && !race) race = VariableRace{entry.access, access};
  }
  if (mine == nullptr) mine = &history.entries().emplace_back();
  *mine = {self.pid, clock[self.pid - 1], std::move(access)};
  return race;
}

void note_release(std::uint64_t object) {
  if (Causality* causality = causality_here()) causality->releases(this_actor_record(), object);
}

void note_acquire(std::uint64_t object) {
  if (Causality* causality = causality_here()) causality->acquires(this_actor_record(), object);
}

void note_anything() {
  if (Causality* causality = causality_here()) causality->touches_anything(this_actor_record());
}

}  // namespace rehearse::sim::kernel
