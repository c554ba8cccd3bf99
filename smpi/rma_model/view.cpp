// SPDX-License-Identifier: MIT
//
// See view.hpp.
#include "smpi/rma_model/view.hpp"

#include <algorithm>
#include <tuple>

namespace rehearse::smpi::model {
namespace {

// An accumulate whose order among others does not matter.
bool is_plain_update(const Record& record) {
  if (!record.is_operation() || record.memory.empty()) return false;
  const OperationHeader header = OperationView(record.data).header();
  return header.deed == Deed::accumulate && !needs_order(header) && !is_idle(header);
}

bool is_atomic_operation(const Record& record) {
  return record.is_operation() && is_atomic(OperationView(record.data).header().deed);
}

MPI_Datatype element_of(const Record& record) { return OperationView(record.data).header().element; }

}  // namespace

View::View(std::uint32_t actor, std::uint32_t ranks) : actor_(actor) {
  known_.clock.resize(ranks);
  known_.issued.resize(ranks);
}

RecordRef View::find(RecordId id) const {
  const RecordRef* known = records_.find(id);
  return known == nullptr ? nullptr : *known;
}

KnowledgeRef View::known_now() const {
  if (shared_known_ == nullptr || shared_known_->issued[actor_] != known_.issued[actor_])
    shared_known_ = std::make_shared<const Knowledge>(known_);
  return shared_known_;
}

// What happened before the next operation: operations in a row share it.
KnowledgeRef View::knowledge_of_operation() const { return shared_known_ == nullptr ? known_now() : shared_known_; }

// The earlier atomics of this rank at the same place take effect first, if they have the same predefined type (MPI 4.1,
// 12.7.2). The record gets those that no other one of them has behind it; their effects bring all. Returns what
// happened before the record.
KnowledgeRef View::add_prior(Record& record) {
  if (!is_atomic_operation(record) || record.memory.empty()) return knowledge_of_operation();
  const MPI_Datatype element = element_of(record);
  Knowledge before = known_;
  const RecordId* last = last_atomics_.find(record.memory.front().begin);
  if (last != nullptr && !before.effects.contains(*last)) {
    // If it touched the same memory, it has all earlier ones behind it.
    const Record& same = *find(*last);
    if (element_of(same) == element && same.memory == record.memory) {
      record.prior.push_back(same.id);
      before.effects.join(same.known->effects);
      before.effects.insert(same.id);
    }
  }
  const std::vector<RecordId> others = index_.meeting(record.memory, &before);
  for (auto id = others.rbegin(); id != others.rend(); ++id) {
    if (id->actor != actor_ || before.effects.contains(*id)) continue;
    const Record& earlier = *find(*id);
    if (!is_atomic_operation(earlier) || element_of(earlier) != element) continue;
    record.prior.push_back(*id);
    add_effect(before, *id);
  }
  return record.prior.empty() ? knowledge_of_operation() : std::make_shared<const Knowledge>(std::move(before));
}

RecordRef View::add(Record record, KnowledgeRef earlier) {
  const bool is_operation = record.is_operation();
  std::uint32_t& count = is_operation ? known_.issued[actor_] : known_.clock[actor_];
  record.id = {actor_, is_operation ? count | RecordId::operation_bit : count};
  record.lamport = ++lamport_;
  record.known = is_operation ? add_prior(record) : known_now();
  if (earlier != nullptr) record.known = std::move(earlier);
  ++count;
  if (!is_operation) shared_known_ = nullptr;
  auto made = std::make_shared<const Record>(std::move(record));
  insert(made);
  if (is_atomic_operation(*made) && !made->memory.empty() && made->exposure == 0)
    last_atomics_.assign(made->memory.front().begin, made->id);
  if (made->kind == RecordKind::content || made->kind == RecordKind::change) {
    unapplied_.erase(made->id);
    apply({made});
    is_changed_ = false;
  }
  return made;
}

// `added`: gets the operations that are new in the set.
void View::add_effect(Knowledge& to, RecordId operation, std::vector<RecordId>* added) const {
  std::vector<RecordId> next = {operation};
  while (!next.empty()) {
    const RecordId id = next.back();
    next.pop_back();
    if (!to.effects.insert(id)) continue;
    if (added != nullptr) added->push_back(id);
    if (const RecordRef record = find(id); record != nullptr)
      next.insert(next.end(), record->prior.begin(), record->prior.end());
  }
}

void View::know_effects(std::span<const RecordId> operations) {
  std::vector<RecordId> added;
  for (const RecordId id : operations) add_effect(known_, id, &added);
  if (added.empty()) return;
  shared_known_ = nullptr;
  std::vector<RecordRef> fresh;
  for (const RecordId id : added)
    if (unapplied_.erase(id)) fresh.push_back(find(id));
  apply(std::move(fresh));
}

void View::settle(const RecordRef& record) {
  const RecordRef known = find(record->id);
  if (known == nullptr) return insert(record);
  lamport_ = std::max(lamport_, record->lamport);
  if (!is_later_version(*record, *known)) return;
  records_.assign(record->id, record);
  own_.add(*record);
  if (!known->is_exposed && record->is_exposed) find_races(record);
}

std::vector<RecordId> View::expose(const Exposure& exposure, const Opening& opening) {
  std::vector<RecordId> ids;
  for (const auto& [id, record] : records_)
    if ((!exposure.origin || id.actor == *exposure.origin) && record->owner == exposure.owner &&
        record->window == exposure.window && record->exposure == exposure.number)
      ids.push_back(id);
  for (const RecordId id : ids)
    if (const RecordRef record = find(id); !record->is_exposed) settle(exposed_version(*record, opening));
  return ids;
}

// Records of start and fence epochs are compared when it is known what happened before them. What happened before the
// record cannot be in a race with it, except in the separate model, where a copy may not show it.
void View::find_races(const RecordRef& record) {
  if (!record->is_exposed) return;
  if (has_separate_ || record->separate != 0) {
    for (const auto& [id, other] : records_) compare(record, other);
    return;
  }
  for (const RecordId id : index_.meeting(record->memory, record->known.get())) compare(record, find(id));
}

void View::compare(const RecordRef& record, const RecordRef& other) {
  if (!other->is_exposed || other->id == record->id) return;
  const auto clash = differing_replacement(*record, *other);
  if (!clash && !conflict(*record, *other)) return;
  if (clash && !are_ordered(*record, *other)) clashes_.push_back({record->window, record->owner, *clash});
  if (!clash && !is_visible(*record, *other) && !is_visible(*other, *record)) races_.emplace_back(other, record);
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
  own_.add(*record);
  index_.add(*record);
  has_separate_ |= record->separate != 0;
  if (is_plain_update(*record)) updates_.emplace({record->memory.front().begin, record->id}, {});
  if (record->changes_memory()) unapplied_.emplace(record->id, {});
}

std::vector<std::uint32_t> View::updates_before(const Record& operation) const {
  std::vector<std::uint32_t> counts(known_.clock.size());
  const std::uintptr_t begin = operation.memory.front().begin;
  for (auto at = updates_.lower_bound({begin, {}}); at != updates_.end() && at->first.begin == begin; ++at)
    if (is_known(at->first.id, *operation.known)) ++counts[at->first.id.actor];
  return counts;
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
  if (news.from) add_held(*news.from, news.held);
  for (const auto& [rank, held] : news.held_by_others) add_held(rank, held);
  known_.join(news.known);
  shared_known_ = nullptr;
  std::vector<RecordRef> fresh;
  for (const auto& [id, nothing] : unapplied_)
    if (is_known(id, known_)) fresh.push_back(find(id));
  for (const RecordRef& record : fresh) unapplied_.erase(record->id);
  apply(std::move(fresh));
}

void View::add_held(std::uint32_t rank, const HeldRows& rows) {
  if (rank == actor_) return;
  HeldRows& held = others_[rank];
  held = joined_rows(held, rows);
}

News View::news_of(Records records) const {
  return {known_, std::move(records), lamport_, actor_, own_.rows(), others_};
}

std::vector<std::byte> View::news_for(std::span<const ActorId> ranks) const {
  HeldRows held = own_.rows();
  for (const ActorId rank : ranks) {
    if (rank.value == actor_) continue;
    const auto other = others_.find(rank.value);
    held = common_rows(held, other == others_.end() ? HeldRows() : other->second);
  }
  return write_news(news_of(HeldRecords(std::move(held)).missing(records_)));
}

std::vector<std::byte> View::news_with(std::span<const RecordId> effects, std::span<const RecordId> without,
                                       const HeldRecords& held) const {
  News news = news_of(held.missing(records_));
  for (const RecordId id : without) news.known.effects.erase(id);
  for (const RecordId id : effects) add_effect(news.known, id);
  return write_news(news);
}

namespace {

auto date_of(const RecordRef& record) { return std::tuple(record->lamport, record->id); }

}  // namespace

// Whether an applied change at the same place has a later date.
bool View::are_late(const std::vector<RecordRef>& fresh) const {
  std::vector<RecordId> ids;
  for (const RecordRef& record : fresh) ids.push_back(record->id);
  std::ranges::sort(ids);
  return std::ranges::any_of(fresh, [&](const RecordRef& record) {
    return record->lamport <= applied_lamport_ &&
           std::ranges::any_of(index_.meeting(record->memory, nullptr), [&](RecordId id) {
             const RecordRef& other = find(id);
             return other->changes_memory() && !unapplied_.contains(id) && date_of(record) < date_of(other) &&
                    !std::ranges::binary_search(ids, id);
           });
  });
}

// Applies what is known to have happened since the last call. If something at the same place that is later was applied
// before, all is applied again: only changes that do not conflict can be exchanged.
void View::apply(std::vector<RecordRef> fresh) {
  if (fresh.empty()) return;
  if (are_late(fresh)) {
    fresh.clear();
    image_.clear();
    for (const auto& [id, record] : records_)
      if (record->changes_memory() && !unapplied_.contains(id)) fresh.push_back(record);
  }
  std::ranges::sort(fresh, {}, date_of);
  for (const RecordRef& record : fresh) image_.apply(*record);
  applied_lamport_ = std::max(applied_lamport_, fresh.back()->lamport);
  is_changed_ = true;
}

}  // namespace rehearse::smpi::model
