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

RecordedProgram::RecordedProgram(std::unique_ptr<rtrace::File> file, Wildcards wildcards)
    : file_(std::move(file)),
      wildcards_(wildcards),
      event_(std::make_unique<rtrace::Event>()),
      players_(file_->ranks()) {}
RecordedProgram::~RecordedProgram() = default;

inline rtrace::Player& RecordedProgram::player(ActorId actor) {
  if (players_[actor.value] == nullptr) [[unlikely]]
    start(actor);
  return *players_[actor.value];
}

std::uint64_t RecordedProgram::actions() const {
  std::uint64_t actions = 0;
  for (const auto& player : players_)
    if (player != nullptr) actions += player->actions();
  return actions;
}

std::string RecordedProgram::about() const { return file_->about(); }

FrozenAnswers RecordedProgram::frozen() const {
  FrozenAnswers frozen;
  for (const auto& player : players_) {
    if (player == nullptr) continue;
    frozen.wildcards += player->frozen().wildcards;
    frozen.polls += player->frozen().polls;
  }
  return frozen;
}

ActionPlace RecordedProgram::place(ActorId actor) {
  const rtrace::Asked& action = player(actor).action();
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

void RecordedProgram::start(ActorId actor) {
  players_[actor.value] = std::make_unique<rtrace::Player>(*file_, actor.value, wildcards_, *event_);
}

const Operation& RecordedProgram::next(ActorId actor) {
  rtrace::Player& of_actor = player(actor);
  if (of_actor.problem() && !problem_) problem_ = of_actor.problem();
  return of_actor.operation();
}

void RecordedProgram::resume(ActorId actor, const Observation& observation) { player(actor).go_on(observation); }

void RecordedProgram::restart(ActorId actor) { players_[actor.value].reset(); }

std::unique_ptr<Snapshot> RecordedProgram::save(ActorId) { return nullptr; }

void RecordedProgram::restore(ActorId, const Snapshot&) { REHEARSE_ASSERT(false, "save() returned null"); }

std::uint64_t RecordedProgram::site(ActorId actor) {
  return file_->tables().sites()[player(actor).action().site].number;
}

CallDescription RecordedProgram::describe(ActorId actor) {
  const rtrace::Asked& action = player(actor).action();
  const rtrace::Site& site = file_->tables().sites()[action.site];
  CallDescription description;
  description.call = rtrace::text_of(action, file_->tables());
  if (!site.file.empty() || !site.function.empty())
    description.frames.push_back({site.function, site.file, static_cast<int>(site.line)});
  return description;
}

}  // namespace rehearse::trace
