// SPDX-License-Identifier: MIT
//
// The inside of the timed driver: the loop over ready actors and dates, and the dispatch of operations. The other work
// is done by parts; each refers only to parts that are listed before it.
//
// Shape:   begin(...) starts one kind of operation and returns whether it was answered at once, with
//          the answer in answers_; otherwise the actor waits and a part calls ActorTable::make_ready().
//          answer(...) then fills answers_.
// Threads: none.
#pragma once

#include <memory>

#include "simcore/engine.hpp"
#include "simcore/engine/accesses.hpp"
#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/agenda.hpp"
#include "simcore/engine/answers.hpp"
#include "simcore/engine/application_time.hpp"
#include "simcore/engine/awaits.hpp"
#include "simcore/engine/collective_rounds.hpp"
#include "simcore/engine/collective_spaces.hpp"
#include "simcore/engine/collectives.hpp"
#include "simcore/engine/gatherings.hpp"
#include "simcore/engine/messages.hpp"
#include "simcore/engine/observations.hpp"
#include "simcore/engine/polls.hpp"
#include "simcore/engine/requests.hpp"
#include "simcore/engine/run_state.hpp"
#include "simcore/engine/storage.hpp"

namespace rehearse {

class Engine::Core {
 public:
  Core(Program& program, const Platform& platform, std::unique_ptr<CostModel> costs, EngineOptions options);

  Result<RunResult> run();

 private:
  using ActorState = engine::ActorState;
  using Continuation = engine::Continuation;
  using Timer = engine::Timer;
  using Wait = engine::Wait;

  // ---- actors
  void run_actor(ActorId id);
  bool resume(ActorId id, ActorState& actor);
  void report_answer(ActorId id, const ActorState& actor);
  bool charge(ActorId id, ActorState& actor);
  bool begin_operation(ActorId id, ActorState& actor);
  bool begins_ahead(const Operation& operation);
  bool catch_up(ActorId id, ActorState& actor);
  bool pay(ActorId id, ActorState& actor);
  Duration cost_of_start(const Operation& operation) const;
  void answer(ActorId id, ActorState& actor);
  bool finish_start(ActorState& actor, engine::Request& request, bool is_blocking);

  // ---- losses (lost_actors.cpp)
  void lose(ActorId id);
  void stop_waiting(ActorId id, ActorState& actor);
  bool is_of_lost(ActorId id) const;
  bool is_of_lost(const Continuation& activity);
  void note_failure(const Continuation& activity);
  void report_outage(const engine::Message& message);

  // ---- time
  bool step();
  void count_until(TimePoint date);
  void go_on(const Continuation& then);
  void fire(const Timer& timer);

  // ---- operations
  bool begin(ActorId id, ActorState& actor, const Compute& operation);
  bool begin(ActorId id, ActorState& actor, const Sleep& operation);
  bool begin(ActorId id, ActorState& actor, const Clock& operation);
  bool begin(ActorId id, ActorState& actor, const Log& operation);
  bool begin(ActorId id, ActorState& actor, const Report& operation);
  bool begin(ActorId id, ActorState& actor, const Fail& operation);
  bool begin(ActorId id, ActorState& actor, const End& operation);
  bool begin(ActorId id, ActorState& actor, const Send& operation);
  bool begin(ActorId id, ActorState& actor, const Post& operation);
  bool begin(ActorId id, ActorState& actor, const Release& operation);
  bool begin(ActorId id, ActorState& actor, const Collective& operation);
  bool begin(ActorId id, ActorState& actor, const RemoteAccess& operation);
  bool begin(ActorId id, ActorState& actor, const Traffic& operation);
  bool begin(ActorId id, ActorState& actor, const Settle& operation);
  bool begin(ActorId id, ActorState& actor, const StorageAccess& operation);
  bool begin(ActorId id, ActorState& actor, const Work& operation);
  bool begin(ActorId id, ActorState& actor, const Await& operation) { return awaits_.begin(id, actor, operation); }
  bool begin(ActorId id, ActorState& actor, const Observe& operation) {
    return observations_.begin(id, actor, operation);
  }
  bool begin(ActorId id, ActorState& actor, const Probe& operation) {
    return observations_.begin(id, actor, operation);
  }
  bool begin(ActorId id, ActorState& actor, const Choose& operation) {
    return observations_.begin(id, actor, operation);
  }

  std::unique_ptr<CollectiveSchedules> own_schedules_;
  engine::RunState run_;
  engine::ActorTable actors_;
  engine::Agenda agenda_;
  engine::ApplicationTime application_;
  engine::Polls polls_;
  engine::Pool<engine::Message> message_pool_;
  engine::Pool<engine::PendingAccess> access_pool_;
  engine::CollectiveSpaces spaces_;
  engine::Requests requests_;
  engine::Accesses accesses_;
  engine::Storage storage_;
  engine::Messages messages_;
  engine::CollectiveRounds rounds_;
  engine::Collectives collectives_;
  engine::Gatherings gatherings_;
  engine::Answers answers_;
  engine::Observations observations_;
  engine::Awaits awaits_;
};

}  // namespace rehearse
