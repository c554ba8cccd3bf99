// SPDX-License-Identifier: MIT
//
// Objects in general, and locks. See object_actor.hpp.
#include "smpi/rma_model/object_actor.hpp"

#include <algorithm>
#include <limits>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::smpi::model {
namespace {

bool starts_request(const Operation& operation) {
  return std::holds_alternative<Send>(operation) || std::holds_alternative<Post>(operation);
}

}  // namespace

ContextId context_of(ActorId object, Channel channel) {
  return {first_object_context | std::uint64_t{object.value} << 8 | static_cast<std::uint64_t>(channel)};
}

std::pair<ContextId, Tag> exposure_channel(ActorId owner, std::uint64_t window, std::uint64_t number) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;  // of Knuth's multiplicative hashing
  const std::uint64_t hash = (window * factor + number) * factor;
  const ContextId context = context_of(owner, Channel::exposures);
  return {{context.value | (hash >> 44) << 40}, static_cast<Tag>(hash & 0x3fff'ffff)};
}

void join(Records& records, const Records& more) {
  for (const auto& [id, record] : more) {
    const RecordRef* known = records.find(id);
    if (known == nullptr || is_later_version(*record, **known)) records.assign(id, record);
  }
}

void join(News& news, const News& more) {
  news.known.join(more.known);
  news.lamport = std::max(news.lamport, more.lamport);
  join(news.records, more.records);
}

void ObjectActor::resume(const Observation& answer) {
  if (starts_request(operation_)) ++requests_;
  is_over_ = std::holds_alternative<Post>(operation_) && answer.completions.front().tag == tags::goodbye;
  if (!is_over_) take(answer);
}

Operation ObjectActor::send(ActorId to, Channel channel, Tag tag, std::span<const std::byte> data) const {
  Send send;
  send.request = {requests_};
  send.context = context_of(self_, channel);
  send.destination = to;
  send.tag = tag;
  send.mode = SendMode::buffered;
  send.blocking = true;
  send.data = data;
  return send;
}

Operation ObjectActor::receive(Channel channel, std::optional<ActorId> from, std::optional<Tag> tag) const {
  Post post;
  post.request = {requests_};
  post.pattern = {context_of(self_, channel), from, tag};
  post.capacity_bytes = std::numeric_limits<std::uint64_t>::max();
  post.blocking = true;
  return post;
}

Operation ObjectActor::send_to(ActorId object, Tag tag, std::span<const std::byte> data) const {
  Operation operation = send(object, Channel::requests, tag, data);
  std::get<Send>(operation).context = context_of(object, Channel::requests);
  return operation;
}

Operation ObjectActor::receive_from(ActorId object, Tag tag) const { return receive(Channel::requests, object, tag); }

FirstObject::FirstObject(ActorId self) : ObjectActor(self) {
  finding_.id = first_object_report;
  finding_.severity = Severity::note;
}

Operation FirstObject::make() const { return has_reported_ ? Operation(End{}) : Operation(Report{&finding_}); }

// ---- Locks

std::string LockObject::name() const { return fmt::format("the lock of the window of rank {}", owner_); }

Operation LockObject::make() const {
  switch (phase_) {
    case Phase::free: return receive(Channel::requests, std::nullopt, std::nullopt);
    case Phase::closing: return send_to(readers_[reader_], tags::close, {});
    case Phase::draining: return receive_from(readers_[reader_], tags::closed);
    case Phase::granting: return send(holder_, Channel::answers, tags::grant, message_);
    case Phase::held: return receive(Channel::requests, holder_, tags::release);
    case Phase::opening: return send_to(readers_[reader_], tags::open, message_);
  }
  REHEARSE_ASSERT(false, "a phase of a lock");
  return End{};
}

// The same for the next reader, or the phase after it.
void LockObject::go_on(Phase next, Phase then) {
  if (phase_ != next) reader_ = 0;
  else ++reader_;
  phase_ = reader_ < readers_.size() ? next : then;
  if (phase_ == then) reader_ = 0;
}

void LockObject::take(const Observation& answer) {
  switch (phase_) {
    case Phase::free:
      holder_ = answer.completions.front().source;
      before_ = base_;
      go_on(Phase::closing, Phase::granting);
      break;
    case Phase::closing: go_on(Phase::closing, Phase::draining); break;
    case Phase::draining:
      if (!answer.completions.front().data.empty()) {
        const News news = read_news(answer.completions.front().data);
        held_[readers_[reader_]].add(news.records);
        join(before_, news);
      }
      go_on(Phase::draining, Phase::granting);
      break;
    case Phase::granting: phase_ = Phase::held; break;
    case Phase::held: release(answer.completions.front().data); break;
    case Phase::opening: go_on(Phase::opening, Phase::free); break;
  }
  if (phase_ == Phase::granting) write_grant();
  if (phase_ == Phase::opening) write_opening();
}

void LockObject::write_grant() {
  granted_ = held_[holder_].missing(before_.records);
  message_ = write_news({before_.known, granted_, before_.lamport});
}

// What the reader needs for its next grants.
void LockObject::write_opening() {
  message_.clear();
  if (!has_last_) return;
  HeldRecords& held = held_[readers_[reader_]];
  const News news{last_.known, held.missing(last_.records), last_.lamport};
  held.add(news.records);
  message_ = write_news(news);
}

// A rank that sends news has learned those of its grant.
void LockObject::release(std::span<const std::byte> message) {
  base_ = before_;
  if (!message.empty()) {
    News news = read_news(message);
    held_[holder_].add(granted_);
    held_[holder_].add(news.records);
    join(base_.records, news.records);
    base_.known = std::move(news.known);
    base_.lamport = std::max(base_.lamport, news.lamport);
    last_ = base_;
    has_last_ = true;
  }
  go_on(Phase::opening, Phase::free);
}

// ---- Readers

std::string ReaderObject::name() const { return fmt::format("the shared lock of rank {}", reader_.value); }

Operation ReaderObject::make() const {
  switch (phase_) {
    case Phase::free: return receive(Channel::requests, std::nullopt, std::nullopt);
    case Phase::granting: return send(reader_, Channel::answers, tags::grant, message_);
    case Phase::held: return receive(Channel::requests, reader_, tags::release);
    case Phase::closing: return send_to(lock_, tags::closed, message_);
    case Phase::closed: return receive(Channel::requests, lock_, tags::open);
  }
  REHEARSE_ASSERT(false, "a phase of a reader");
  return End{};
}

void ReaderObject::take(const Observation& answer) {
  switch (phase_) {
    case Phase::free:
      if (answer.completions.front().tag == tags::close) close();
      else grant();
      break;
    case Phase::granting: phase_ = Phase::held; break;
    case Phase::held: end_section(answer.completions.front().data); break;
    case Phase::closing: phase_ = Phase::closed; break;
    case Phase::closed: open(answer.completions.front().data); break;
  }
}

void ReaderObject::grant() {
  phase_ = Phase::granting;
  message_.clear();
  if (!has_last_) return;
  granted_ = held_.missing(last_.records);
  message_ = write_news({last_.known, granted_, last_.lamport});
}

// A rank that sends news has learned those of its grant.
void ReaderObject::end_section(std::span<const std::byte> message) {
  phase_ = Phase::free;
  if (message.empty()) return;
  const News news = read_news(message);
  for (const Records& records : {granted_, news.records}) {
    held_.add(records);
    join(records_, records);
  }
  sections_.known.join(news.known);
  sections_.records = records_;
}

void ReaderObject::open(std::span<const std::byte> message) {
  phase_ = Phase::free;
  sections_ = {};
  if (message.empty()) return;
  News news = read_news(message);
  held_by_lock_.add(news.records);
  join(last_.records, news.records);
  last_.known = std::move(news.known);
  has_last_ = true;
}

void ReaderObject::close() {
  phase_ = Phase::closing;
  const News news{sections_.known, held_by_lock_.missing(sections_.records), sections_.lamport};
  held_by_lock_.add(news.records);
  message_ = write_news(news);
}

}  // namespace rehearse::smpi::model
