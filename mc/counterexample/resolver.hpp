// SPDX-License-Identifier: MIT
//
// Translates decisions by call site to decisions by request number, while an execution grows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "mc/counterexample/follower.hpp"
#include "mc/counterexample/sites.hpp"

namespace rehearse::mc::counterexample {

using graph::Graph;

// "the 2nd receive of actor 0 in collect (master.c:41)", by the name of the call. `noun`: the word for an actor, see
// Program::actor_noun.
std::string to_text(const CallSite& site, std::string_view noun);

class Resolver {
 public:
  Resolver(Sites& sites, const std::vector<Decision>& decisions, std::string_view noun);

  // Adds to `must` the decisions whose call sites were reached.
  void update(const Graph& graph, Forced& must);

  // The decisions that the finished execution did not follow, as texts.
  std::vector<std::string> problems(const Graph& graph, const std::vector<graph::EventRef>& impossible);

 private:
  struct Match {
    const DecidedMatch* of = nullptr;
    graph::EventRef receive, message;  // if known
  };
  struct Answered {
    const Decision* of = nullptr;
    graph::EventRef message;      // that the probe reports
    bool is_known = false;        // the operation was reached
    graph::EventRef observation;  // of the operation, once it is answered
  };

  void look_at_new_events(const Graph& graph);
  void look_at(const Graph& graph, graph::EventRef event);
  void look_at_observation(const Graph& graph, graph::EventRef event);
  bool stands_at(const Graph& graph, const CallSite& site);
  void look_ahead(const Graph& graph, Forced& must);
  static bool is_as_decided(const Graph& graph, const Answered& answer);

  Sites& sites_;
  std::string noun_;
  std::vector<Match> matches_;
  std::vector<Answered> answers_;
  std::vector<graph::EventIndex> examined_;  // by actor: number of events examined
};

}  // namespace rehearse::mc::counterexample
