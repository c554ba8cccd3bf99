// SPDX-License-Identifier: MIT
//
// See view.hpp.
#include "smpi/rma_model/view.hpp"

#include <algorithm>
#include <tuple>

namespace rehearse::smpi::model {
namespace {

bool is_atomic_operation(const Record& record) {
  return record.is_operation() && is_atomic(OperationView(record.data).header().deed);
}

MPI_Datatype element_of(const Record& record) { return OperationView(record.data).header().element; }

bool share_memory(const Record& a, const Record& b) {
  return std::ranges::any_of(a.memory, [&](const Bytes& one) {
    return std::ranges::any_of(b.memory, [&](const Bytes& other) { return one.meets(other); });
  });
}

}  // namespace

View::View(std::uint32_t actor, std::uint32_t ranks) : actor_(actor) {
  known_.clock.resize(ranks);
  known_.issued.resize(ranks);
}

RecordRef View::find(RecordId id) const {
  const auto known = records_.find(id);
  return known == records_.end() ? nullptr : known->second;
}

// The earlier atomics of this rank at the same place take effect first, if they have the same predefined type (MPI 4.1,
// 12.7.2).
void View::add_prior(Record& record) const {
  if (!is_atomic_operation(record)) return;
  for (const RecordId id : mine_)
    if (const Record& earlier = *records_.at(id);
        !known_.effects.contains(id) && element_of(earlier) == element_of(record) && share_memory(earlier, record))
      record.prior.push_back(id);
}

RecordRef View::add(Record record, KnowledgeRef earlier) {
  std::uint32_t& count = record.is_operation() ? known_.issued[actor_] : known_.clock[actor_];
  record.id = {actor_, record.is_operation() ? count | RecordId::operation_bit : count};
  record.lamport = ++lamport_;
  add_prior(record);
  Knowledge before = known_;
  for (const RecordId id : record.prior) add_effect(before, id);
  record.known = earlier != nullptr ? std::move(earlier) : std::make_shared<const Knowledge>(std::move(before));
  ++count;
  auto made = std::make_shared<const Record>(std::move(record));
  insert(made);
  if (is_atomic_operation(*made)) mine_.push_back(made->id);
  if (made->kind == RecordKind::content || made->kind == RecordKind::change) {
    apply_known();
    is_changed_ = false;
  }
  return made;
}

void View::add_effect(Knowledge& to, RecordId operation) const {
  if (!to.effects.insert(operation)) return;
  if (const RecordRef record = find(operation); record != nullptr)
    for (const RecordId id : record->prior) add_effect(to, id);
}

void View::know_effect(RecordId operation) {
  add_effect(known_, operation);
  std::erase_if(mine_, [&](RecordId id) { return known_.effects.contains(id); });
  apply_known();
}

void View::settle(const RecordRef& record) {
  const auto known = records_.find(record->id);
  if (known == records_.end()) return insert(record);
  lamport_ = std::max(lamport_, record->lamport);
  if (!is_later_version(*record, *known->second)) return;
  const bool was_exposed = known->second->is_exposed;
  known->second = record;
  if (!was_exposed && record->is_exposed) find_races(record);
}

std::vector<RecordId> View::expose(const Exposure& exposure, const Opening& opening) {
  std::vector<RecordId> ids;
  for (const auto& [id, record] : records_)
    if ((!exposure.origin || id.actor == *exposure.origin) && record->owner == exposure.owner &&
        record->window == exposure.window && record->exposure == exposure.number)
      ids.push_back(id);
  for (const RecordId id : ids)
    if (const RecordRef record = records_.at(id); !record->is_exposed) settle(exposed_version(*record, opening));
  return ids;
}

// Records of start and fence epochs are compared when it is known what happened before them.
void View::find_races(const RecordRef& record) {
  if (!record->is_exposed) return;
  for (const auto& [id, other] : records_) {
    if (!other->is_exposed || id == record->id) continue;
    const auto clash = differing_replacement(*record, *other);
    if (!clash && !conflict(*record, *other)) continue;
    if (clash && !are_ordered(*record, *other)) clashes_.push_back({record->window, record->owner, *clash});
    if (!clash && !is_visible(*record, *other) && !is_visible(*other, *record)) races_.emplace_back(other, record);
  }
}

// Whether the first access happens before the second one and, in the separate model, the owner has carried what it did
// to the copy that the second one uses.
bool View::is_visible(const Record& first, const Record& second) const {
  if (!is_known(first, *second.known)) return false;
  if (!needs_carrier(first, second)) return true;
  const bool publishes = !first.is_operation();
  const std::uint32_t owner = publishes ? first.id.actor : second.id.actor;
  const auto carriers = carriers_.find({owner, first.separate});
  if (carriers == carriers_.end()) return false;
  return std::ranges::any_of(carriers->second, [&](const RecordRef& carrier) {
    return carrier->kind == (publishes ? RecordKind::publish : RecordKind::absorb) &&
           is_known(first, *carrier->known) && is_known(*carrier, *second.known);
  });
}

void View::insert(const RecordRef& record) {
  if (record->carries()) carriers_[{record->id.actor, record->separate}].push_back(record);
  else find_races(record);
  records_.emplace(record->id, record);
  if (record->changes_memory()) unapplied_.insert(record->id);
}

void View::learn(std::span<const std::byte> news) {
  if (!news.empty()) learn(read_news(news));
}

void View::learn(News news) {
  for (const bool carries : {true, false})  // races are found with them
    for (const auto& [id, record] : news.records) {
      if (record->carries() != carries) continue;
      lamport_ = std::max(lamport_, record->lamport);
      settle(record);
    }
  known_.join(news.known);
  apply_known();
}

std::vector<std::byte> View::news_with(std::span<const RecordId> effects, std::span<const RecordId> without) const {
  Knowledge more = known_;
  for (const RecordId id : without) more.effects.erase(id);
  for (const RecordId id : effects) add_effect(more, id);
  return write_news(more, records_);
}

// Applies what is known to have happened. If something earlier than the last applied change is among it, all is applied
// again: only changes that do not conflict can be exchanged.
void View::apply_known() {
  std::vector<RecordRef> fresh;
  for (auto it = unapplied_.begin(); it != unapplied_.end();) {
    const RecordRef& record = records_.at(*it);
    if (!is_known(*record, known_)) {
      ++it;
      continue;
    }
    fresh.push_back(record);
    it = unapplied_.erase(it);
  }
  if (fresh.empty()) return;
  const auto order = [](const RecordRef& record) { return std::tuple(record->lamport, record->id); };
  const auto first = std::ranges::min_element(fresh, {}, order);
  if ((*first)->lamport <= applied_lamport_) {
    fresh.clear();
    image_.clear();
    for (const auto& [id, record] : records_)
      if (record->changes_memory() && !unapplied_.contains(id)) fresh.push_back(record);
  }
  std::ranges::sort(fresh, {}, order);
  for (const RecordRef& record : fresh) image_.apply(*record);
  applied_lamport_ = std::max(applied_lamport_, fresh.back()->lamport);
  is_changed_ = true;
}

}  // namespace rehearse::smpi::model
