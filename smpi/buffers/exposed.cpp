// SPDX-License-Identifier: MIT
//
// See exposed.hpp.
#include "smpi/buffers/exposed.hpp"

#include <algorithm>
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

// Extends the last use of the same kind and place by the bytes, if they touch it.
bool extends_last(std::vector<OwnUse>& uses, const OwnUse& use) {
  if (uses.empty()) return false;
  OwnUse& last = uses.back();
  if (last.shape || use.shape || last.stores != use.stores || last.site.return_address != use.site.return_address)
    return false;
  if (use.hull.begin > last.hull.end || last.hull.begin > use.hull.end) return false;
  last.hull = {std::min(last.hull.begin, use.hull.begin), std::max(last.hull.end, use.hull.end)};
  return true;
}

}  // namespace

void ExposedMemory::add(const void* owner, const Span& memory, bool is_shared) {
  if (memory.empty()) return;
  exposed_[owner] = {memory, {}, 0, is_shared, buffer_checks().accesses, false};
  watch_span(memory);
}

Exposed ExposedMemory::end(const void* owner) {
  const auto known = exposed_.find(owner);
  if (known == exposed_.end()) return {};
  Exposed ended = std::move(known->second);
  exposed_.erase(known);
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

void ExposedMemory::note(const OwnUse& use) {
  for (auto& [owner, exposed] : exposed_) {
    if (exposed.is_taken) {
      exposed.uses.clear();
      exposed.left_out = 0;
      exposed.is_taken = false;
    }
    if (!exposed.memory.meets(use.hull) || extends_last(exposed.uses, use)) continue;
    if (exposed.uses.size() < most_uses) exposed.uses.push_back(use);
    else ++exposed.left_out;
  }
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

void note_own_access(const Span& bytes, bool stores, const void* place) {
  ExposedMemory* exposed = find_per_rank<ExposedMemory>();
  if (exposed != nullptr && exposed->meets(bytes)) exposed->note({bytes, stores, {"", place}});
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
