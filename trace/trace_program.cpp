// SPDX-License-Identifier: MIT
//
// See trace_program.hpp.
#include "trace/trace_program.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "simcore/signature_number.hpp"
#include "simcore/support/assert.hpp"
#include "trace/diagnosis.hpp"
#include "trace/rank_replay.hpp"

namespace rehearse::trace {

class TraceProgram::Rank {
 public:
  Rank(const Trace& trace, std::uint32_t rank, Reports reports)
      : reader_(trace.read(rank)), replay_(trace, *reader_, rank), reports_(reports), diagnosis_(rank) {}

  const Operation& operation() const { return findings_.empty() ? replay_.operation() : report_; }

  void go_on(const Observation& observation) {
    if (!findings_.empty()) {
      findings_.pop_back();
    } else if (reports_ == Reports::all) {
      findings_ = diagnosis_.on_answer(replay_.operation(), observation, place(), replay_.is_at_end());
      replay_.go_on(observation);
    } else {
      replay_.go_on(observation);
    }
    if (!findings_.empty()) report_ = Report{&findings_.back()};
  }

  Diagnosis::Place place() const { return {reader_->text(), reader_->file(), replay_.line()}; }
  // The first word of the action, in small letters. Valid until the next call.
  std::string_view action_name() {
    action_name_ = reader_->text();
    action_name_.erase(std::min(action_name_.find(' '), action_name_.size()));
    std::ranges::transform(action_name_, action_name_.begin(),
                           [](unsigned char letter) { return std::tolower(letter); });
    return action_name_;
  }
  const ActionReader& reader() const { return *reader_; }
  const RankReplay& replay() const { return replay_; }

 private:
  std::unique_ptr<ActionReader> reader_;
  RankReplay replay_;
  Reports reports_;
  Diagnosis diagnosis_;
  std::vector<Finding> findings_;  // to be reported before the operation of the replay, the last one first
  Operation report_ = End{};
  std::string action_name_;
};

TraceProgram::TraceProgram(std::unique_ptr<Trace> trace, Reports reports)
    : trace_(std::move(trace)), reports_(reports), ranks_(trace_->ranks()) {}
TraceProgram::~TraceProgram() = default;

const std::optional<Error>& TraceProgram::problem() const { return problem_; }

std::uint64_t TraceProgram::actions() const {
  std::uint64_t actions = 0;
  for (const auto& rank : ranks_)
    if (rank != nullptr) actions += rank->replay().actions();
  return actions;
}

FrozenAnswers TraceProgram::frozen() const {
  FrozenAnswers frozen;
  for (const auto& rank : ranks_)
    if (rank != nullptr) frozen.polls += rank->replay().answered_tests();
  return frozen;
}

ActionPlace TraceProgram::place(ActorId actor) {
  Rank& at = rank(actor);
  if (at.replay().is_at_end()) return {"end", {}, {}, 0, 0};
  return {at.action_name(), {}, {}, 0, 0};
}

std::uint32_t TraceProgram::actor_count() const { return trace_->ranks(); }

TraceProgram::Rank& TraceProgram::rank(ActorId actor) {
  std::unique_ptr<Rank>& rank = ranks_[actor.value];
  if (rank == nullptr) rank = std::make_unique<Rank>(*trace_, actor.value, reports_);
  return *rank;
}

const Operation& TraceProgram::next(ActorId actor) {
  Rank& at = rank(actor);
  const Operation& operation = at.operation();
  if (std::holds_alternative<Fail>(operation) && !at.reader().unsupported() && !problem_)
    problem_ = Error{std::string(std::get<Fail>(operation).what)};
  return operation;
}

void TraceProgram::resume(ActorId actor, const Observation& observation) { rank(actor).go_on(observation); }

void TraceProgram::restart(ActorId actor) { ranks_[actor.value].reset(); }

std::unique_ptr<Snapshot> TraceProgram::save(ActorId) { return nullptr; }

void TraceProgram::restore(ActorId, const Snapshot&) { REHEARSE_ASSERT(false, "save() returned null"); }

std::uint64_t TraceProgram::site(ActorId actor) { return rank(actor).replay().line(); }

Frame TraceProgram::locate(ActorId actor, const Origin& origin) {
  return {"", rank(actor).reader().file(), static_cast<int>(origin.address)};
}

SignatureText TraceProgram::spell(std::uint64_t signature) {
  const SignatureNumber number{signature};
  if (number.is_special()) return {};
  const std::uint64_t bytes = number.is_of_nothing() ? 0 : number.body() & SignatureNumber::longest_uniform;
  return {"", std::to_string(bytes) + " bytes"};
}

CallDescription TraceProgram::describe(ActorId actor) {
  Rank& at = rank(actor);
  CallDescription description;
  if (at.replay().is_at_end()) {
    description.call = "end";
    return description;
  }
  const Diagnosis::Place place = at.place();
  description.call = place.text;
  description.frames.push_back({"", place.file, static_cast<int>(place.line)});
  return description;
}

}  // namespace rehearse::trace
