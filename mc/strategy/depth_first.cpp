// SPDX-License-Identifier: MIT
//
// Alone first, then with others.
#include "mc/strategy/depth_first.hpp"

#include <cerrno>
#include <cstring>
#include <limits>

#include "mc/reduction/receives_from.hpp"
#include "mc/strategy/session.hpp"
#include "mc/verdict/branchings.hpp"

namespace rehearse::mc {

namespace {

constexpr double infinitely = std::numeric_limits<double>::infinity();

}  // namespace

bool DepthFirst::load(Reader& from) {
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
  Matching matching(session_.history(), session_.actor_count(), session_.options().semantics.polls,
                    [this](const Matching& now) { return session_.is_within_bounds(now.events() - counted_); });
  session_.watch().estimate([&matching] { return matching.position(); });
  const double alone_seconds = strategy.jobs > 1 ? strategy.alone_seconds : infinitely;
  const bool is_over = !strategy.apart && run_alone(matching, alone_seconds);
  if (!is_over && !session_.is_stopped()) {
    if (!session_.examiner().can_be_divided())
      session_.add_limits({.unsupported = {"what executions of several processes write or send"}});
    team_.emplace(exploration(&matching), session_.ledger(), session_.watch());
    if (!run_team(*team_)) run_alone(matching, infinitely);
  }
  if (session_.is_stopped() && left_ != nullptr) *left_ = Team::left_of(session_.ledger(), matching);
  session_.watch().estimate({});
}

Exploration DepthFirst::exploration(Matching* matching) {
  return {session_.options(), session_.actor_count(), session_.history(), session_.examiner(), matching};
}

// False: there can be no other processes.
bool DepthFirst::run_team(Team& team) {
  if (left_ != nullptr) team.will_save();
  if (!team.run()) return false;
  if (left_ != nullptr) *left_ = team.left();
  return true;
}

bool DepthFirst::is_to_go_on_alone(double seconds) {
  return session_.watch().seconds() < seconds || !session_.examiner().can_be_divided();
}

// For so long. True: all is visited.
bool DepthFirst::run_alone(Matching& matching, double seconds) {
  const bool is_over = matching.run([&](const Graph& graph) {
    if (!session_.look_at(graph, true)) {  // stopped in the middle of it: whoever goes on begins with it
      matching.visit_again();
      return false;
    }
    session_.examiner().find_races(matching, session_.execution());
    session_.execution().branching = branching_of(matching);
    return session_.count() && session_.is_within_bounds(matching.events() - counted_) && is_to_go_on_alone(seconds);
  });
  session_.ledger().add_operations(matching.events() - counted_);
  counted_ = matching.events();
  session_.add_limits(limits_of(matching));
  return is_over;
}

}  // namespace rehearse::mc
