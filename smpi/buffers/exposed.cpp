// SPDX-License-Identifier: MIT
//
// See exposed.hpp.
#include "smpi/buffers/exposed.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "smpi/buffers/accesses.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"
#include "smpi/process/thread_order.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t most_uses = 4096;

// Begins a new list of uses, if a driver has taken the old one.
void renew(Exposed& exposed) {
  if (!exposed.is_taken) return;
  exposed.uses.clear();
  exposed.accesses = {};
  exposed.left_out = 0;
  exposed.is_taken = false;
}

void keep(Exposed& exposed, const OwnUse& use) {
  if (exposed.uses.size() < most_uses) exposed.uses.push_back(use);
  else ++exposed.left_out;
}

enum class Fit { none, extended, inside };

// Only accesses of one place extend a use, so that its place is right for all its bytes.
Fit fit_into(OwnUse& use, const Span& bytes, bool stores, const void* place) {
  if (use.stores != stores || use.shape || use.since || bytes.begin < use.hull.begin) return Fit::none;
  if (bytes.end <= use.hull.end) return Fit::inside;
  if (bytes.begin > use.hull.end || use.site.return_address != place) return Fit::none;
  use.hull.end = bytes.end;
  return Fit::extended;
}

// The memory that was noted before, if it has all of the bytes.
Span note_in(Exposed& exposed, const Span& bytes, bool stores, const void* place) {
  std::uint32_t& last = exposed.accesses.last(place, stores);
  const auto fits = [&](std::uint32_t number, Span& noted) {
    OwnUse& use = exposed.uses[number];
    const Fit fit = fit_into(use, bytes, stores, place);
    if (fit == Fit::inside) noted = use.hull;
    return fit != Fit::none;
  };
  Span noted{};
  if (last != 0 && fits(last - 1, noted)) return noted;
  auto& begins = exposed.accesses.begins(stores);
  auto after = begins.upper_bound(bytes.begin);
  if (after != begins.begin()) {
    const std::uint32_t before = std::prev(after)->second;
    if (fits(before, noted)) {
      last = before + 1;
      return noted;
    }
  }
  const std::size_t count = exposed.uses.size();
  keep(exposed, {bytes, stores, {"", place}});
  if (exposed.uses.size() == count) return {};
  begins[bytes.begin] = static_cast<std::uint32_t>(count);
  last = static_cast<std::uint32_t>(count) + 1;
  return {};
}

}  // namespace

void ExposedMemory::add(const void* owner, const Span& memory, bool is_shared) {
  if (memory.empty()) return;
  exposed_[owner] = {memory, {}, 0, is_shared, buffer_checks().accesses, false, {}};
  settle();
  watch_span(memory);
}

Exposed ExposedMemory::end(const void* owner) {
  const auto known = exposed_.find(owner);
  if (known == exposed_.end()) return {};
  Exposed ended = std::move(known->second);
  exposed_.erase(known);
  settle();
  return ended;
}

std::optional<std::uint64_t> ExposedMemory::end_use(BufferToken token) {
  const auto known = begun_.find(token);
  if (known == begun_.end()) return std::nullopt;
  const std::uint64_t since = known->second;
  begun_.erase(known);
  return since;
}

bool ExposedMemory::meets(const Span& bytes) const {
  return std::ranges::any_of(exposed_, [&](const auto& entry) { return entry.second.memory.meets(bytes); });
}

bool ExposedMemory::meets_shared(const Span& bytes) const {
  return std::ranges::any_of(exposed_, [&](const auto& entry) {
    return entry.second.is_shared && entry.second.memory.meets(bytes);
  });
}

bool ExposedMemory::has_shared() const {
  return std::ranges::any_of(exposed_, [](const auto& entry) { return entry.second.is_shared; });
}

void ExposedMemory::settle() {
  sole_ = exposed_.size() == 1 ? &exposed_.begin()->second : nullptr;
  runs_.clear();
}

void ExposedMemory::note(const OwnUse& use) {
  settle();
  for (auto& [owner, exposed] : exposed_) {
    renew(exposed);
    if (exposed.memory.meets(use.hull)) keep(exposed, use);
  }
}

Span ExposedMemory::note_access(const Span& bytes, bool stores, const void* place) {
  // The usual case first: the next access of a loop.
  if (sole_ != nullptr && !sole_->is_taken) {
    if (const std::uint32_t last = sole_->accesses.last(place, stores); last != 0) {
      OwnUse& use = sole_->uses[last - 1];
      const Fit fit = fit_into(use, bytes, stores, place);
      if (fit == Fit::extended) runs_.begin(use.hull.end, stores, place);
      if (fit != Fit::none) return fit == Fit::inside ? use.hull : Span{};
    }
  }
  settle();
  Span known{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  bool is_met = false;
  for (auto& [owner, exposed] : exposed_) {
    renew(exposed);
    if (!exposed.memory.meets(bytes)) continue;
    is_met = true;
    const Span noted = note_in(exposed, bytes, stores, place);
    known = {std::max(known.begin, noted.begin), std::min(known.end, noted.end)};
  }
  return is_met && known.begin < known.end ? known : Span{};
}

void ExposedMemory::watch() const {
  for (const auto& [owner, exposed] : exposed_) watch_span(exposed.memory);
}

bool may_be_exposed(const Span& bytes) {
  const ExposedMemory* exposed = find_per_rank<ExposedMemory>();
  return exposed != nullptr && exposed->meets(bytes);
}

void watch_exposed() {
  if (const ExposedMemory* exposed = find_per_rank<ExposedMemory>(); exposed != nullptr) exposed->watch();
  if (followed_order() != nullptr) watch_all();
}

namespace {

// Where accesses are messages, a driver takes the uses at any call: then all bytes must be noted again.
Span lasting(const Span& noted) { return windows_are_messages() ? Span{} : noted; }

}  // namespace

Span note_own_access(const Span& bytes, bool stores, const void* place) {
  ExposedMemory* exposed = find_per_rank<ExposedMemory>();
  return exposed == nullptr ? Span{} : lasting(exposed->note_access(bytes, stores, place));
}

void note_exposed_access(ExposedMemory& exposed, const Span& bytes, bool stores, const void* place) {
  const Span noted = lasting(exposed.note_access(bytes, stores, place));
  if (!noted.empty()) note_clear_memory(noted, bytes, stores);
}

bool note_shared_atomic(const Span& bytes) {
  const ExposedMemory* exposed = find_per_rank<ExposedMemory>();
  if (exposed == nullptr || !exposed->meets_shared(bytes)) return false;
  report_outcomes_left_out("the order of atomic operations in C on memory of a shared window");
  return true;
}

bool sees_shared_memory() {
  const ExposedMemory* exposed = find_per_rank<ExposedMemory>();
  return exposed != nullptr && exposed->has_shared();
}

void note_own_buffer(const BufferUse& use) {
  ExposedMemory* exposed = find_per_rank<ExposedMemory>();
  if (exposed == nullptr || exposed->empty()) return;
  const Span hull = hull_of(use.blocks);
  if (hull.empty() || !exposed->meets(hull)) return;
  exposed->note({hull, use.written, creation_site(), std::make_shared<const Footprint>(use.blocks)});
}

void note_own_begin(const BufferUse& use, BufferToken token) {
  ExposedMemory* exposed = find_per_rank<ExposedMemory>();
  if (exposed == nullptr || exposed->empty() || !exposed->meets(hull_of(use.blocks))) return;
  exposed->begin_use(token);
}

void note_own_end(const BufferUse& use, BufferToken token) {
  ExposedMemory* exposed = find_per_rank<ExposedMemory>();
  if (exposed == nullptr) return;
  const std::optional<std::uint64_t> since = exposed->end_use(token);
  if (!since || *since == exposed->stretch()) return;
  exposed->note(
      {hull_of(use.blocks), use.written, creation_site(), std::make_shared<const Footprint>(use.blocks), since});
}

}  // namespace rehearse::smpi
