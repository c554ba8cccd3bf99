// SPDX-License-Identifier: MIT
//
// Explores first in this process, then in several.
#include "mc/strategy/depth_first.hpp"

#include <cerrno>
#include <cstring>
#include <limits>

#include "mc/reduction/receives_from.hpp"
#include "mc/strategy/session.hpp"
#include "mc/verdict/branchings.hpp"

namespace rehearse::mc::strategy {

using reduction::ReceivesFromExplorer;

namespace {

constexpr double infinitely = std::numeric_limits<double>::infinity();

}  // namespace

bool DepthFirst::load(records::Reader& from) {
  is_resumed_ = true;
  session_.ledger().load(from);
  team_.emplace(exploration(nullptr), session_.ledger(), session_.watch());
  team_->load(from);
  return from.is_good() && from.at_end();
}

void DepthFirst::run() { is_resumed_ ? resume() : begin(); }

void DepthFirst::resume() {
  if (session_.ledger().goes_on() && !run_team(*team_))
    session_.ledger().stop("no process that explores could be started: " + std::string(std::strerror(errno)));
}

void DepthFirst::begin() {
  const Strategy& strategy = session_.options().strategy;
  ReceivesFromExplorer explorer(session_.history(), session_.actor_count(), session_.options().semantics.polls,
                                [this](const ReceivesFromExplorer& now) {
                                  return session_.is_within_bounds(now.events() - counted_);
                                });
  session_.watch().estimate([&explorer] { return explorer.position(); });
  const bool has_others = strategy.jobs > 1 || !strategy.helpers.empty();
  const double alone_seconds = has_others ? strategy.alone_seconds : infinitely;
  const bool is_over = !strategy.apart && run_alone(explorer, alone_seconds);
  if (!is_over && !session_.is_stopped()) {
    if (!session_.examiner().can_be_divided())
      session_.add_limits({.unsupported = {"comparing the output or the sends of executions of several processes"}});
    team_.emplace(exploration(&explorer), session_.ledger(), session_.watch());
    if (!run_team(*team_)) run_alone(explorer, infinitely);
  }
  if (session_.is_stopped() && remaining_ != nullptr)
    *remaining_ = parallel::Team::remaining_of(session_.ledger(), explorer);
  session_.watch().estimate({});
}

parallel::Exploration DepthFirst::exploration(ReceivesFromExplorer* explorer) {
  return {session_.options(), session_.actor_count(), session_.history(), session_.examiner(), explorer};
}

// False: no other process could be started.
bool DepthFirst::run_team(parallel::Team& team) {
  if (remaining_ != nullptr) team.will_save();
  if (!team.run()) return false;
  if (remaining_ != nullptr) *remaining_ = team.remaining();
  return true;
}

bool DepthFirst::is_to_go_on_alone(double seconds) {
  return session_.watch().seconds() < seconds || !session_.examiner().can_be_divided();
}

// Explores for this time. True: all executions are visited.
bool DepthFirst::run_alone(ReceivesFromExplorer& explorer, double seconds) {
  bool is_over = explorer.run([&](const graph::Graph& graph) {
    if (!session_.look_at(graph, true)) {  // interrupted: the continued exploration begins with it
      explorer.visit_again();
      return false;
    }
    session_.examiner().find_races(explorer, session_.execution());
    session_.execution().branching = verdict::branching_of(explorer);
    return session_.count() && session_.is_within_bounds(explorer.events() - counted_) && is_to_go_on_alone(seconds);
  });
  // A single long execution can take all the time: start no processes that would find nothing to do.
  if (!is_over && !session_.is_stopped()) is_over = explorer.is_exhausted();
  session_.ledger().add_operations(explorer.events() - counted_);
  counted_ = explorer.events();
  session_.add_limits(verdict::limits_of(explorer.builder()));
  return is_over;
}

}  // namespace rehearse::mc::strategy
