// SPDX-License-Identifier: MIT
//
// The choices that an exploration omitted, and its assumptions. They only grow.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "simcore/caveats.hpp"

namespace rehearse::mc::history {
class History;
}
namespace rehearse::mc::reduction {
class ExecutionBuilder;
}

namespace rehearse::mc::verdict {

struct Limits {
  bool refusals_left_out = false;             // answers "no" to polls, by the bound on polls
  std::vector<std::string> unsupported = {};  // by name
  bool orders_left_out = false;               // of steps of actors that share memory without a synchronisation object
  bool executions_not_meant = false;          // the program excluded executions itself
  std::vector<std::string> assumptions = {};  // other assumptions, as sentences
  std::vector<std::string> strayed = {};      // differences when actors were run again, as sentences

  void join(const Limits& more);
  std::size_t size() const;  // grows with each join() that brings something new
};

Limits limits_of(const reduction::ExecutionBuilder& builder);
Limits limits_of(const Caveats& caveats);
Limits limits_of(const history::History& history);

}  // namespace rehearse::mc::verdict
