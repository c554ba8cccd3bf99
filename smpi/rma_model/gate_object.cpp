// SPDX-License-Identifier: MIT
//
// See gate_object.hpp.
#include "smpi/rma_model/gate_object.hpp"

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/rma_model/atomic_object.hpp"
#include "smpi/rma_model/byte_stream.hpp"

namespace rehearse::smpi::model {
namespace {

GateMessage read_gate_message(std::span<const std::byte> bytes) {
  ByteReader from(bytes);
  GateMessage message;
  message.element = {from.one<std::uint32_t>()};
  message.channel = static_cast<Channel>(from.one<std::uint64_t>());
  message.tag = from.one<Tag>();
  message.exposure = from.one<std::uint64_t>();
  message.counts_updates = from.one<std::uint64_t>() != 0;
  message.request = from.all<std::byte>();
  return message;
}

}  // namespace

std::vector<std::byte> write_gate_message(const GateMessage& message) {
  ByteWriter to;
  to.add(message.element.value);
  to.add(static_cast<std::uint64_t>(message.channel));
  to.add(message.tag);
  to.add(message.exposure);
  to.add(std::uint64_t{message.counts_updates});
  to.add_all(std::span(message.request));
  return to.take();
}

std::string GateObject::name() const {
  return fmt::format("the operations of rank {} on the window of rank {}", origin_, owner_);
}

Operation GateObject::make() const {
  switch (phase_) {
    case Phase::free: return receive(Channel::requests, ActorId{origin_}, std::nullopt);
    case Phase::closed: {
      const std::uint64_t kind = message_.exposure & fence_bit;
      return receive(Channel::exposures, ActorId{owner_}, static_cast<Tag>(kind | (needed().number + 1)));
    }
    case Phase::passing: {
      Operation operation = send(message_.element, message_.channel, message_.tag, message_.request);
      std::get<Send>(operation).context = context_of(message_.element, message_.channel);
      return operation;
    }
  }
  REHEARSE_ASSERT(false, "a phase of a gate");
  return End{};
}

void GateObject::take(const Observation& answer) {
  switch (phase_) {
    case Phase::free: {
      message_ = read_gate_message(answer.completions.front().data);
      const Records records = read_request(message_.request).news.records;
      join(of_rank_, records);
      join(all_, records);
      return await_exposure();
    }
    case Phase::closed:
      ++needed().number;
      needed().news = read_news(answer.completions.front().data);
      join(all_, needed().news.records);
      return await_exposure();
    case Phase::passing: phase_ = Phase::free; return;
  }
}

void GateObject::await_exposure() {
  const std::uint64_t number = message_.exposure & ~fence_bit;
  if (number > needed().number) phase_ = Phase::closed;
  else pass();
}

// The operation happens after the exposure that it needs. Without one, the element takes all records that come with it
// for the rank's.
void GateObject::pass() {
  phase_ = Phase::passing;
  AtomicRequest request = read_request(message_.request);
  HeldRecords& passed = passed_[message_.element];
  if (message_.exposure == 0) {
    request.news.records = passed.missing(of_rank_);
  } else {
    const News& opening = needed().news;
    const RecordRef operation = exposed_version(**of_rank_.find(request.operation), opening_of(opening));
    request.news.records = passed.missing(all_);
    request.news.records.assign(operation->id, operation);
    request.news.known.join(opening.known);
    if (message_.counts_updates) {
      const auto ranks = static_cast<std::uint32_t>(request.updates.size());
      const std::uint32_t own = request.updates[origin_];
      request.updates = updates_before(*operation, all_, ranks);
      request.updates[origin_] = own;
    }
  }
  if (message_.channel == Channel::requests) passed.add(request.news.records);
  message_.request = write_request(request);
}

}  // namespace rehearse::smpi::model
