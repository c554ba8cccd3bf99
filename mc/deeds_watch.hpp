// SPDX-License-Identifier: MIT
//
// A Program that remembers what its actors write and send, and tells where one of them does something else than in an
// execution before: for whoever runs a counter-example of outcome.output or outcome.sends again.
//
// Shape:     as in an exploration (mc/verdict/determinism.hpp), so that the findings are the same.
// Ownership: the program must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mc/history/fingerprint.hpp"
#include "simcore/difference.hpp"
#include "simcore/program.hpp"

namespace rehearse::mc {

// The schedule of a finding that compares an execution with another one says both.
struct TwoSchedules {
  std::string schedule, other;
};
std::string to_text(const TwoSchedules& both);
std::optional<TwoSchedules> compared_schedules(const std::string& text);  // none: it is of one execution

// By actor: what it had done when it came to each operation that concerns others.
using Courses = std::vector<std::vector<Deeds>>;

class DeedsWatch final : public Program {
 public:
  // `first`: what is compared with; null: nothing.
  DeedsWatch(Program& program, const Courses* first);

  const Courses& courses() const { return courses_; }

  // After the run: one for each actor and kind, of executions in which all actors ended.
  std::vector<Difference> differences(const TwoSchedules& both) const;

  std::uint32_t actor_count() const override { return program_.actor_count(); }
  const Operation& next(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  // It would have to remember what an actor had done.
  std::unique_ptr<Snapshot> save(ActorId) override { return nullptr; }
  void restore(ActorId, const Snapshot&) override;
  std::uint64_t site(ActorId actor) override { return program_.site(actor); }
  std::uint64_t call_chain(ActorId actor) override { return program_.call_chain(actor); }
  Frame locate(ActorId actor, const Origin& origin) override { return program_.locate(actor, origin); }
  Ways ways(ActorId actor) override { return program_.ways(actor); }
  void measure(OwnCodeMeter& meter) override { program_.measure(meter); }
  CallDescription describe(ActorId actor) override { return program_.describe(actor); }

 private:
  struct State {
    bool is_known = false;  // what it asks for now
    bool has_ended = false;
    Deeds deeds;
    std::optional<CallDescription> output_differs, sends_differ;  // where that was first seen
  };

  void look(ActorId actor, const Operation& operation);

  Program& program_;
  const Courses* first_;
  Courses courses_;
  std::vector<State> states_;
};

}  // namespace rehearse::mc
