// SPDX-License-Identifier: MIT
//
// An element of a window that atomics access, some of which return or replace its value: decides in which order these
// take effect. Updates that commute and return nothing are only counted: before each fetching operation the object
// chooses how many updates of each rank it sees.
//
// Messages: a request has an operation for which the order matters. An update has one that commutes with all updates;
//           its tag is the number of requests of its rank so far, so that it takes effect behind these.
// Answers:  to the rank that asked. If that rank does not wait for the operation (of a start epoch, without a value),
// to
//           the owner, who does.
// Polls:    a rank that repeats a reading operation gets no answer before the element has changed. If the rank may give
//           up, it gets the same answer again when nothing else can happen. RankDriver limits the number of these
//           answers.
// Source:   MPI 5.0, 12.7.1; the chosen classes are those of docs/design/one-sided.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "smpi/rma_model/element_value.hpp"
#include "smpi/rma_model/object_actor.hpp"

namespace rehearse::smpi::model {

// Whether the rank has made the same operation before, and nothing since; forever: and will make it again and again
// while it gets the same answer.
enum class Repeats : std::uint64_t { no, yes, forever };

struct AtomicRequest {
  RecordId operation;
  Repeats repeats = Repeats::no;
  std::vector<std::uint32_t> updates;  // by rank: the number of its updates that happened before
  News news;
};
std::vector<std::byte> write_request(const AtomicRequest& request);
AtomicRequest read_request(std::span<const std::byte> bytes);

struct AtomicAnswer {
  RecordId operation;
  std::uint64_t lamport = 0;
  std::vector<std::byte> value;  // for the rank
  std::vector<std::byte> news;   // of the updates that the operation saw; empty: it saw none
};
AtomicAnswer read_answer(std::span<const std::byte> bytes);

// The numbers of updates at the element that happened before the operation, by rank: of operations that are no
// requests.
std::vector<std::uint32_t> updates_before(const Record& operation, const Records& records, std::uint32_t ranks);

class AtomicObject final : public ObjectActor {
 public:
  // `senders`: by rank, from whom its messages come. `orders_all`: all operations are requests.
  // `polls`: answers "no" that the driver gives to a poll before it waits (Semantics::polls).
  AtomicObject(ActorId self, std::uint32_t owner, std::vector<ActorId> senders, bool orders_all, std::uint32_t polls);

  std::unique_ptr<ObjectActor> clone() const override { return std::make_unique<AtomicObject>(*this); }
  std::uint64_t site() const override { return phase_ == Phase::waiting ? 1 : 0; }
  std::string name() const override;

 private:
  enum class Phase : std::uint8_t { free, waiting, fetching, forcing, asking, taking, answering, waking };

  Operation make() const override;
  void take(const Observation& answer) override;
  void accept(std::span<const std::byte> message);
  void take_update(std::span<const std::byte> message);
  void next_rank();
  void carry_out();
  std::vector<std::byte> news_of_seen() const;
  void add_change(RecordId id);
  void join_knowledge(const Record& change);
  void wake_or_rest();
  void begin();
  void answer_stalled();
  void learn(const News& news, RecordId operation);
  bool sees() const;

  std::uint32_t owner_;
  std::vector<ActorId> senders_;
  bool orders_all_;
  Phase phase_ = Phase::free;
  Records records_;
  std::map<std::uint32_t, HeldRecords> held_;     // by rank: records that came from it
  std::vector<std::uint32_t> updates_, chained_;  // by rank: updates and requests so far
  RecordSet placed_;                              // those that have taken effect
  RecordSet changes_;                             // updating ones among them, since the last plain replacement
  Knowledge known_;                               // what a rank knows that sees all of these
  ElementValue value_;
  std::uint64_t change_count_ = 0, lamport_ = 0;
  std::map<std::uint32_t, std::uint64_t> answered_at_;  // by rank: change_count_ at its last answer
  AtomicRequest request_;                               // the current one
  ActorId asker_, answered_;                            // answered: who gets the answer
  std::uint32_t rank_ = 0;                              // in forcing, asking and taking: whose updates
  std::vector<std::byte> message_;
  std::vector<std::vector<std::byte>> stalled_;  // repeated requests without a change since
  std::uint32_t polls_, refused_ = 0;            // answers "no" in a row in Phase::waiting
  std::uint32_t taken_ = 0;                      // messages that probes took
};

}  // namespace rehearse::smpi::model
