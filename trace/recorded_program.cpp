// SPDX-License-Identifier: MIT
//
// See recorded_program.hpp.
#include "trace/recorded_program.hpp"

#include <utility>

#include "simcore/support/assert.hpp"
#include "trace/rtrace/action_text.hpp"
#include "trace/rtrace/file.hpp"
#include "trace/rtrace/player.hpp"

namespace rehearse::trace {

class RecordedProgram::Rank {
 public:
  Rank(const rtrace::File& file, std::uint32_t rank, Wildcards wildcards) : player(file, rank, wildcards) {}

  rtrace::Player player;
};

RecordedProgram::RecordedProgram(std::unique_ptr<rtrace::File> file, Wildcards wildcards)
    : file_(std::move(file)), wildcards_(wildcards), ranks_(file_->ranks()) {}
RecordedProgram::~RecordedProgram() = default;

std::uint64_t RecordedProgram::actions() const {
  std::uint64_t actions = 0;
  for (const auto& rank : ranks_)
    if (rank != nullptr) actions += rank->player.actions();
  return actions;
}

std::string RecordedProgram::about() const { return file_->about(); }

FrozenAnswers RecordedProgram::frozen() const {
  FrozenAnswers frozen;
  for (const auto& rank : ranks_) {
    if (rank == nullptr) continue;
    frozen.wildcards += rank->player.frozen().wildcards;
    frozen.polls += rank->player.frozen().polls;
  }
  return frozen;
}

ActionPlace RecordedProgram::place(ActorId actor) {
  const rtrace::Asked& action = rank(actor).player.action();
  const rtrace::Site& site = file_->tables().sites()[action.site];
  const std::string_view name = site.call.empty() ? rtrace::name_of(action.kind) : std::string_view(site.call);
  return {name, site.function, site.file, site.line, action.site};
}

std::vector<ActionPlace> RecordedProgram::places() const {
  std::vector<ActionPlace> places;
  const std::vector<rtrace::Site>& sites = file_->tables().sites();
  for (std::uint32_t i = 1; i < sites.size(); ++i)
    places.push_back({sites[i].call, sites[i].function, sites[i].file, sites[i].line, i});
  return places;
}

bool RecordedProgram::has_reductions() const { return file_->has_reductions(); }

std::uint32_t RecordedProgram::actor_count() const { return file_->ranks(); }

RecordedProgram::Rank& RecordedProgram::rank(ActorId actor) {
  if (ranks_[actor.value] == nullptr) [[unlikely]]
    start(actor);
  return *ranks_[actor.value];
}

void RecordedProgram::start(ActorId actor) {
  ranks_[actor.value] = std::make_unique<Rank>(*file_, actor.value, wildcards_);
}

const Operation& RecordedProgram::next(ActorId actor) {
  rtrace::Player& player = rank(actor).player;
  if (player.problem() && !problem_) problem_ = player.problem();
  return player.operation();
}

void RecordedProgram::resume(ActorId actor, const Observation& observation) { rank(actor).player.go_on(observation); }

void RecordedProgram::restart(ActorId actor) { ranks_[actor.value].reset(); }

std::unique_ptr<Snapshot> RecordedProgram::save(ActorId) { return nullptr; }

void RecordedProgram::restore(ActorId, const Snapshot&) { REHEARSE_ASSERT(false, "save() returned null"); }

std::uint64_t RecordedProgram::site(ActorId actor) {
  return file_->tables().sites()[rank(actor).player.action().site].number;
}

CallDescription RecordedProgram::describe(ActorId actor) {
  const rtrace::Asked& action = rank(actor).player.action();
  const rtrace::Site& site = file_->tables().sites()[action.site];
  CallDescription description;
  description.call = rtrace::text_of(action, file_->tables());
  if (!site.file.empty() || !site.function.empty())
    description.frames.push_back({site.function, site.file, static_cast<int>(site.line)});
  return description;
}

}  // namespace rehearse::trace
