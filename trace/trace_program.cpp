// SPDX-License-Identifier: MIT
//
// See trace_program.hpp.
#include "trace/trace_program.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "simcore/signature_number.hpp"
#include "simcore/support/assert.hpp"
#include "trace/rank_replay.hpp"

namespace rehearse::trace {

class TraceProgram::Rank {
 public:
  Rank(const Trace& trace, std::uint32_t rank) : reader(trace.read(rank)), replay(trace, *reader, rank) {}

  std::unique_ptr<ActionReader> reader;
  RankReplay replay;
  std::string action;  // of the last place()
};

TraceProgram::TraceProgram(std::unique_ptr<Trace> trace) : trace_(std::move(trace)), ranks_(trace_->ranks()) {}
TraceProgram::~TraceProgram() = default;

const std::optional<Error>& TraceProgram::problem() const { return problem_; }

std::uint64_t TraceProgram::actions() const {
  std::uint64_t actions = 0;
  for (const auto& rank : ranks_)
    if (rank != nullptr) actions += rank->replay.actions();
  return actions;
}

FrozenAnswers TraceProgram::frozen() const {
  FrozenAnswers frozen;
  for (const auto& rank : ranks_)
    if (rank != nullptr) frozen.polls += rank->replay.answered_tests();
  return frozen;
}

ActionPlace TraceProgram::place(ActorId actor) {
  Rank& at = rank(actor);
  if (at.replay.is_at_end()) return {"end", {}, {}, 0, 0};
  at.action = at.reader->text();
  at.action.erase(std::min(at.action.find(' '), at.action.size()));
  std::ranges::transform(at.action, at.action.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return {at.action, {}, {}, 0, 0};
}

std::uint32_t TraceProgram::actor_count() const { return trace_->ranks(); }

TraceProgram::Rank& TraceProgram::rank(ActorId actor) {
  std::unique_ptr<Rank>& rank = ranks_[actor.value];
  if (rank == nullptr) rank = std::make_unique<Rank>(*trace_, actor.value);
  return *rank;
}

const Operation& TraceProgram::next(ActorId actor) {
  Rank& at = rank(actor);
  const Operation& operation = at.replay.operation();
  if (std::holds_alternative<Fail>(operation) && !at.reader->unsupported() && !problem_)
    problem_ = Error{std::string(std::get<Fail>(operation).what)};
  return operation;
}

void TraceProgram::resume(ActorId actor, const Observation& observation) { rank(actor).replay.go_on(observation); }

void TraceProgram::restart(ActorId actor) { ranks_[actor.value].reset(); }

std::unique_ptr<Snapshot> TraceProgram::save(ActorId) { return nullptr; }

void TraceProgram::restore(ActorId, const Snapshot&) { REHEARSE_ASSERT(false, "save() returned null"); }

std::uint64_t TraceProgram::site(ActorId actor) { return rank(actor).replay.line(); }

SignatureText TraceProgram::spell(std::uint64_t signature) {
  const SignatureNumber number{signature};
  if (number.is_special()) return {};
  const std::uint64_t bytes = number.is_of_nothing() ? 0 : number.body() & SignatureNumber::longest_uniform;
  return {"", std::to_string(bytes) + " bytes"};
}

CallDescription TraceProgram::describe(ActorId actor) {
  Rank& at = rank(actor);
  CallDescription description;
  if (at.replay.is_at_end()) {
    description.call = "end";
    return description;
  }
  description.call = at.reader->text();
  description.frames.push_back({"", at.reader->file(), static_cast<int>(at.replay.line())});
  return description;
}

}  // namespace rehearse::trace
