// SPDX-License-Identifier: MIT
//
// See atomic_object.hpp.
#include "smpi/rma_model/atomic_object.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/rma_model/byte_stream.hpp"

namespace rehearse::smpi::model {
namespace {

constexpr Tag retry_tag = 64;  // of a stalled request that comes back

bool can_give_up(const std::vector<std::byte>& stalled) { return read_request(stalled).repeats == Repeats::yes; }

}  // namespace

std::vector<std::byte> write_request(const AtomicRequest& request) {
  ByteWriter to;
  to.add(request.operation);
  to.add(request.repeats);
  to.add_all(std::span(request.updates));
  const std::vector<std::byte> news = write_news(request.news);
  to.add_all(std::span(news));
  return to.take();
}

AtomicRequest read_request(std::span<const std::byte> bytes) {
  ByteReader from(bytes);
  AtomicRequest request;
  request.operation = from.one<RecordId>();
  request.repeats = from.one<Repeats>();
  request.updates = from.all<std::uint32_t>();
  request.news = read_news(from.all<std::byte>());
  return request;
}

AtomicAnswer read_answer(std::span<const std::byte> bytes) {
  ByteReader from(bytes);
  AtomicAnswer answer;
  answer.operation = from.one<RecordId>();
  answer.lamport = from.one<std::uint64_t>();
  answer.value = from.all<std::byte>();
  answer.news = from.all<std::byte>();
  return answer;
}

std::vector<std::uint32_t> updates_before(const Record& operation, const Records& records, std::uint32_t ranks) {
  std::vector<std::uint32_t> counts(ranks);
  for (const auto& [id, other] : records) {
    if (!other->is_operation() || other->memory.empty()) continue;
    if (other->memory.front().begin != operation.memory.front().begin) continue;
    const OperationHeader header = OperationView(other->data).header();
    const bool is_update = header.deed == Deed::accumulate && !needs_order(header) && !is_idle(header);
    if (is_update && is_known(*other, *operation.known)) ++counts[id.actor];
  }
  return counts;
}

AtomicObject::AtomicObject(ActorId self, std::uint32_t owner, std::vector<ActorId> senders, bool orders_all,
                           std::uint32_t polls)
    : ObjectActor(self),
      owner_(owner),
      senders_(std::move(senders)),
      orders_all_(orders_all),
      updates_(senders_.size()),
      chained_(senders_.size()),
      polls_(polls) {}

std::string AtomicObject::name() const { return fmt::format("an element of the window of rank {}", owner_); }

Operation AtomicObject::make() const {
  const auto tag = static_cast<Tag>(rank_ < chained_.size() ? chained_[rank_] : 0);
  switch (phase_) {
    case Phase::free: return receive(Channel::requests, std::nullopt, std::nullopt);
    case Phase::waiting: return Probe{{context_of(self_, Channel::requests), std::nullopt, std::nullopt}, false, true};
    case Phase::fetching: {
      Operation operation = receive(Channel::requests, std::nullopt, std::nullopt);
      std::get<Post>(operation).taken = taken_ - 1;
      return operation;
    }
    case Phase::forcing:
    case Phase::taking: return receive(Channel::updates, senders_[rank_], tag);
    case Phase::asking: return Probe{{context_of(self_, Channel::updates), senders_[rank_], tag}, false, false};
    case Phase::answering: return send(answered_, Channel::answers, tags::answer, message_);
    case Phase::waking: return send(self_, Channel::requests, retry_tag, stalled_.front());
  }
  REHEARSE_ASSERT(false, "a phase of an element");
  return End{};
}

void AtomicObject::take(const Observation& answer) {
  switch (phase_) {
    case Phase::free:
    case Phase::fetching: return accept(answer.completions.front().data);
    case Phase::waiting:
      if (answer.flag) {
        ++taken_;
        phase_ = Phase::fetching;
      } else if (++refused_ > polls_) {
        answer_stalled();
      }
      return;
    case Phase::forcing: take_update(answer.completions.front().data); return next_rank();
    case Phase::asking:
      if (answer.flag) phase_ = Phase::taking;
      else ++rank_, next_rank();
      return;
    case Phase::taking:
      take_update(answer.completions.front().data);
      phase_ = Phase::asking;
      return;
    case Phase::answering: return wake_or_rest();
    case Phase::waking:
      stalled_.erase(stalled_.begin());
      if (stalled_.empty()) phase_ = Phase::free;
      return;
  }
}

// The news of an operation that needs an exposure has records that its rank does not have.
void AtomicObject::learn(const News& news, RecordId operation) {
  const bool is_of_rank = (*news.records.find(operation))->exposure == 0;
  held_[operation.actor].add(news.held);
  for (const auto& [id, record] : news.records) {
    if (is_of_rank) held_[operation.actor].add(*record);
    if (records_.emplace(id, record)) {
      value_.add(record);
    } else if (is_later_version(*record, **records_.find(id))) {
      records_.assign(id, record);
      value_.replace(record);
      if (changes_.contains(id)) join_knowledge(*record);
    }
  }
}

// Whether the current operation can distinguish which updates came before.
bool AtomicObject::sees() const {
  return has_answer(OperationView((*records_.find(request_.operation))->data).header().deed);
}

void AtomicObject::accept(std::span<const std::byte> message) {
  request_ = read_request(message);
  asker_ = {request_.operation.actor};
  learn(request_.news, request_.operation);
  const auto last = answered_at_.find(asker_.value);
  if (request_.repeats != Repeats::no && last != answered_at_.end() && last->second == change_count_) {
    stalled_.emplace_back(message.begin(), message.end());
    return wake_or_rest();
  }
  begin();
}

// The current request is the next one to take effect.
void AtomicObject::begin() {
  phase_ = Phase::forcing;
  rank_ = 0;
  next_rank();
}

// Nothing else can happen: the first stalled request whose rank may give up gets the same answer again.
void AtomicObject::answer_stalled() {
  const auto first = std::ranges::find_if(stalled_, can_give_up);
  request_ = read_request(*first);
  stalled_.erase(first);
  asker_ = {request_.operation.actor};
  begin();
}

void AtomicObject::take_update(std::span<const std::byte> message) {
  const AtomicRequest update = read_request(message);
  learn(update.news, update.operation);
  placed_.emplace(update.operation, {});
  add_change(update.operation);
  ++updates_[rank_];
  ++change_count_;
}

// The next update that must come before, then the next rank whose updates may.
void AtomicObject::next_rank() {
  if (phase_ == Phase::forcing) {
    while (rank_ < updates_.size() && updates_[rank_] >= request_.updates[rank_]) ++rank_;
    if (rank_ < updates_.size()) return;
    rank_ = 0;
    phase_ = Phase::asking;
  }
  if (rank_ == asker_.value) ++rank_;  // its later updates come behind
  if (rank_ < updates_.size() && !orders_all_ && sees()) return;
  carry_out();
}

// Computes the value of the element from what happened before, and what has taken effect.
void AtomicObject::carry_out() {
  Record settled = **records_.find(request_.operation);
  settled.is_settled = true;
  settled.lamport = lamport_ = std::max(settled.lamport, lamport_ + 1);
  ByteWriter to;
  to.add(settled.id);
  to.add(settled.lamport);
  std::vector<std::byte> value;
  const OperationView view(settled.data);
  value_.carry_out(settled, records_, placed_, value);
  const bool is_of_start_epoch = settled.exposure > 0 && !is_by_fence(settled.exposure);
  answered_ = is_of_start_epoch && !sees() ? ActorId{owner_} : asker_;
  const bool swaps = view.header().deed == Deed::swap;
  const bool updates = swaps ? std::ranges::equal(value, view.data().first(value.size())) : view.updates();
  to.add_all(std::span(value));
  const std::vector<std::byte> news = sees() ? news_of_seen() : std::vector<std::byte>();
  to.add_all(std::span(news));
  message_ = to.take();
  records_.assign(settled.id, std::make_shared<const Record>(settled));
  placed_.emplace(settled.id, {});
  if (updates) {
    if (view.header().deed == Deed::accumulate && view.header().op == OpCode::replace) {
      changes_.clear();
      known_ = {};
    }
    add_change(settled.id);
    ++change_count_;
  }
  ++chained_[asker_.value];
  if (updates) answered_at_.erase(asker_.value);
  else answered_at_[asker_.value] = change_count_;
  phase_ = Phase::answering;
}

// What the rank learns from a value to which these updates contributed.
std::vector<std::byte> AtomicObject::news_of_seen() const {
  if (changes_.empty()) return {};
  const auto held = held_.find(answered_.value);
  return write_news({known_, held == held_.end() ? records_ : held->second.missing(records_)});
}

void AtomicObject::add_change(RecordId id) {
  changes_.emplace(id, {});
  join_knowledge(**records_.find(id));
}

// Who sees the change knows what happened before it.
void AtomicObject::join_knowledge(const Record& change) {
  const RecordId id = change.id;
  known_.join(*change.known);
  known_.effects.insert(id);
  for (const RecordId prior : change.prior) known_.effects.insert(prior);
  const std::uint32_t count = (id.number & ~RecordId::operation_bit) + 1;
  known_.issued[id.actor] = std::max(known_.issued[id.actor], count);
}

// After a change, stalled requests come back as messages. Until then the object waits for others, or polls for them.
void AtomicObject::wake_or_rest() {
  refused_ = 0;
  const auto can_go_on = [&](const std::vector<std::byte>& message) {
    return answered_at_.at(read_request(message).operation.actor) != change_count_;
  };
  if (std::ranges::any_of(stalled_, can_go_on)) phase_ = Phase::waking;
  else phase_ = std::ranges::any_of(stalled_, can_give_up) ? Phase::waiting : Phase::free;
}

}  // namespace rehearse::smpi::model
