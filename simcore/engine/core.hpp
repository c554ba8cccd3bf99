// SPDX-License-Identifier: MIT
//
// The timed driver from inside: one object, its parts in five files (run, messages, observations,
// collectives, result).
//
// Shape:   begin(...) starts one kind of operation and returns whether it was answered at once, with
//          the answer in observation_; otherwise the actor waits and somebody calls make_ready().
//          answer(...) then fills observation_.
// Threads: none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simcore/engine.hpp"
#include "simcore/engine/pool.hpp"
#include "simcore/engine/state.hpp"

namespace rehearse {

class Engine::Core {
 public:
  Core(Program& program, const Platform& platform, std::unique_ptr<CostModel> costs,
       EngineOptions options);

  Result<RunResult> run();

 private:
  using ActorState = engine::ActorState;
  using Instance = engine::Instance;
  using Message = engine::Message;
  using Request = engine::Request;
  using Wait = engine::Wait;

  // What goes on when an activity of the cost model ends.
  struct Continuation {
    enum class Kind : std::uint8_t {
      arrival, rendezvous, collective, combination, computation
    } kind{};
    std::uint32_t subject = 0;   // message, instance or actor
    std::uint32_t part = 0;      // of the instance: passage or member
  };
  struct Timer {
    TimePoint date;
    std::uint64_t order = 0;
    enum class Kind : std::uint8_t { actor, announcement, answer } kind{};
    std::uint32_t subject = 0;    // actor or message
    std::uint32_t number = 0;     // void unless it is the actor's last
    bool operator<(const Timer& other) const {  // the first is the greatest of the heap
      return date != other.date ? date > other.date : order > other.order;
    }
  };

  // run.cpp
  bool place_actors();
  void run_actor(ActorId id);
  bool resume(ActorId id, ActorState& actor);
  bool charge(ActorId id, ActorState& actor);
  bool begin_operation(ActorId id, ActorState& actor);
  bool pay(ActorId id, ActorState& actor);
  Duration cost_of_start(const Operation& operation) const;
  void answer(ActorId id, ActorState& actor);
  void account(ActorId id, ActorState& actor);
  bool step();
  void go_on(const Continuation& then);
  void fail_activity(const Continuation& what);
  void fire(const Timer& timer);
  void add_timer(Timer timer);
  void set_timer(ActorId id, ActorState& actor, Duration after);
  void make_ready(ActorId id);
  bool wait(ActorState& actor, Wait kind);
  void start_transfer(ActorId source, ActorId destination, std::uint64_t bytes, Continuation then);
  void start_computation(ActorId id, double flops, Continuation then);
  void start_computation(ActorId id, double flops) {
    start_computation(id, flops, {Continuation::Kind::computation, id.value, 0});
  }
  void fail(std::string text);
  void note_progress() { ++progress_; }
  void note_interaction(ActorState& actor);
  void recycle();
  bool is_eager(std::uint64_t bytes) const {
    return options_.eager_bytes > 0 && bytes <= options_.eager_bytes;
  }

  bool begin(ActorId id, ActorState& actor, const Compute& operation);
  bool begin(ActorId id, ActorState& actor, const Sleep& operation);
  bool begin(ActorId id, ActorState& actor, const Clock& operation);
  bool begin(ActorId id, ActorState& actor, const Log& operation);
  bool begin(ActorId id, ActorState& actor, const Report& operation);
  bool begin(ActorId id, ActorState& actor, const Fail& operation);
  bool begin(ActorId id, ActorState& actor, const End& operation);

  // messages.cpp
  bool begin(ActorId id, ActorState& actor, const Send& operation);
  bool begin(ActorId id, ActorState& actor, const Post& operation);
  bool begin(ActorId id, ActorState& actor, const Release& operation);
  engine::Inbox& inbox(ActorId destination, ContextId context);
  engine::Channel& channel(ActorId source, ActorState& actor, const Send& operation);
  Message& make_message(ActorId id, ActorState& actor, const Send& operation);
  void travel(Message& message, HostId from);
  Request& make_request(ActorId id, RequestId request, Request::Kind kind);
  bool finish_start(ActorState& actor, Request& request, bool is_blocking);
  void arrive(Message& message);
  void make_visible(Message& message);
  void match(Message& message, Request& receive);
  void send_data(Message& message);
  void finish_match(Message& message);
  void finish_send(Message& message);
  void make_room(ActorId source, ActorId destination);
  void post_forced(Request& receive, const SendName& name);
  void complete(Request& request);
  void dispose(Request& request);

  // observations.cpp
  bool begin(ActorId id, ActorState& actor, const Observe& operation);
  bool begin(ActorId id, ActorState& actor, const Probe& operation);
  bool begin(ActorId id, ActorState& actor, const Choose& operation);
  const Answer* find_forced(ActorId id, const ActorState& actor) const;
  bool begin_forced(ActorId id, ActorState& actor, const Observe& operation, const Answer& forced);
  Duration cost_of_look(ActorId id, ActorState& actor);
  bool poll_spins(ActorState& actor);
  bool poll(ActorId id, ActorState& actor);
  bool is_under_way() const;
  void wake_idle();
  void end_poll(ActorId id);
  bool is_hanging(ActorState& actor);
  bool choose(ActorState& actor, const Observe& operation);
  void await(ActorState& actor, const Observe& operation);
  void forget(ActorState& actor, const Observe& operation);
  void answer_observe(ActorState& actor, const Observe& operation);
  void add_completion(std::uint32_t index, Request& request);
  void answer_finished(ActorState& actor);
  void answer_no();
  Message* find_probed(ActorId id, ActorState& actor, const Probe& operation);
  void answer_probe(ActorState& actor, const Probe& operation, Message& message);
  void withdraw(ActorState& actor, const Observe& operation);

  // collectives.cpp
  bool begin(ActorId id, ActorState& actor, const Collective& operation);
  engine::CollectiveSpace& space(const Collective& operation);
  const engine::Circle& circle(std::span<const ActorId> actors);
  Instance& instance(engine::CollectiveSpace& space, std::uint32_t member,
                     const Collective& operation);
  static const char* difference(Instance& instance, std::uint32_t member, const Collective& operation);
  void compare(Instance& instance, std::uint32_t member, const Collective& operation);
  void keep_contribution(Instance& instance, std::uint32_t member, const Collective& operation);
  void keep_remark(Instance& instance, std::uint32_t member, const Collective& operation);
  void make_schedule(Instance& instance, const Collective& operation);
  void go_through_rounds(Instance& instance, std::uint32_t member);
  engine::Passage& meet(Instance& instance, std::uint32_t source, std::uint32_t destination,
                        bool sends);
  void start_send(Instance& instance, std::uint32_t member, const ScheduledSend& send);
  void post_receive(Instance& instance, std::uint32_t member, const ScheduledReceive& receive);
  void start_passage(Instance& instance, engine::Passage& passage);
  void end_passage(Instance& instance, std::uint32_t index);
  void end_receive(Instance& instance, engine::Passage& passage);
  void combine(Instance& instance, std::uint32_t member);
  void end_combination(Instance& instance, std::uint32_t member);
  void finish_member(Instance& instance, std::uint32_t member);
  bool has_what_it_needs(const Instance& instance, std::uint32_t member) const;
  std::uint64_t payload_bytes(const Instance& instance, std::uint32_t source,
                              const Payload& payload) const;
  std::span<const std::span<const std::byte>> deliver(Request& request);
  std::span<const std::span<const std::byte>> deliver_between(Instance& instance, std::uint32_t observer);
  void settle(Instance& instance, std::uint32_t member);
  SharedResult* shared_result(const Request& request);
  std::span<const Remark> remarks_for(const Request& request) const;
  void leave(Request& request);

  // result.cpp
  RunResult make_result();
  ActorOutcome outcome_of(ActorId id, ActorState& actor);
  void add_waits(ActorState& actor, ActorOutcome& outcome);
  std::vector<PendingRequest> pending();

  Program& program_;
  const Platform& platform_;
  std::unique_ptr<CostModel> costs_;
  EngineOptions options_;
  std::unique_ptr<CollectiveSchedules> own_schedules_;
  std::unique_ptr<OwnCodeMeter> own_meter_;
  OwnCodeMeter* meter_ = nullptr;  // null: own code takes no time

  TimePoint now_;
  std::vector<ActorState> actors_;
  std::vector<ActorResult> results_;
  std::vector<ActorId> ready_;  // first come, first served, from first_ready_ on
  std::size_t first_ready_ = 0;
  std::vector<Timer> timers_;  // a heap
  std::uint64_t timers_made_ = 0;
  std::vector<Continuation> continuations_;  // by activity
  std::vector<Ended> ended_;
  std::vector<Continuation> due_;

  engine::Pool<Message> messages_;
  engine::Pool<Request> requests_;
  engine::Pool<Instance> instances_;
  std::unordered_map<std::uint64_t, engine::CollectiveSpace> spaces_;  // by context
  std::unordered_multimap<std::uint64_t, std::unique_ptr<const engine::Circle>> circles_;  // by a hash of the actors

  // Messages that are not matched, in order, by source and destination; only if buffers are bounded.
  std::map<std::pair<ActorId, ActorId>, std::vector<Message*>> buffers_;

  std::map<SendName, std::pair<ActorId, RequestId>> reserved_;  // forced matches, by message
  std::map<SendName, Request*> forced_receives_;                // posted, their message not visible
  std::map<SendName, Message*> forced_messages_;                // visible, their receive not posted
  std::uint64_t used_decisions_ = 0;

  Round round_;  // being started

  Observation observation_;
  std::vector<Completion> completions_;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::span<const std::byte>> no_contributions_;  // for members that are given none
  std::vector<Message*> finished_messages_;    // to give back once the answer was read
  std::vector<Request*> finished_collectives_;

  std::uint32_t blocked_ = 0;
  std::uint32_t finished_ = 0;
  std::uint32_t in_flight_ = 0;  // transfers, envelopes, and actors busy with messages
  std::uint32_t sleeping_ = 0;
  std::vector<ActorId> idle_;    // polling until something changes
  std::uint64_t progress_ = 0;   // counts what other actors could notice
  std::uint64_t hanging_since_ = 0;
  std::uint32_t hanging_ = 0;    // who polled in vain often enough since then
  bool is_stopped_ = false;
  std::vector<std::pair<ActorId, Finding>> reports_;
  std::vector<EarlyMessage> early_;
  std::optional<Error> error_;
};

}  // namespace rehearse
