// SPDX-License-Identifier: MIT
//
// A trace as a Program: an actor for each rank, whose next Operation is what its next action asks for.
//
// Messages carry no data: a span has no address, but a size (operation.hpp).
// Order:     a receive from any source takes whichever message comes first.
// Errors:    of the trace, when a rank comes to them: the actor fails as unsupported, and problem() is set.
// Protocol:  save() returns null; restart() reads the rank's actions again from the first.
// Threads:   none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/replayed_program.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace {

class TraceProgram final : public ReplayedProgram {
 public:
  TraceProgram(std::unique_ptr<Trace> trace, Reports reports);
  ~TraceProgram() override;

  const std::optional<Error>& problem() const override;
  std::uint64_t actions() const override;
  std::string format() const override { return trace_->format(); }
  std::string about() const override { return trace_->about(); }
  FrozenAnswers frozen() const override;
  ActionPlace place(ActorId actor) override;
  const Trace& trace() const { return *trace_; }

  std::uint32_t actor_count() const override;
  const Operation& next(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  std::unique_ptr<Snapshot> save(ActorId actor) override;
  void restore(ActorId actor, const Snapshot& snapshot) override;
  std::uint64_t site(ActorId actor) override;
  Frame locate(ActorId actor, const Origin& origin) override;
  SignatureText spell(std::uint64_t signature) override;
  CallDescription describe(ActorId actor) override;

 private:
  class Rank;
  Rank& rank(ActorId actor);

  std::unique_ptr<Trace> trace_;
  Reports reports_;
  std::vector<std::unique_ptr<Rank>> ranks_;  // null: not started
  std::optional<Error> problem_;
};

}  // namespace rehearse::trace
