// SPDX-License-Identifier: MIT
//
// Single executions of a program, each judged under one policy: the basis of minimisation and explanation.
//
// Limits: a number of executions, of events and of seconds. When one is reached no further execution comes out. Where
//         it is not time that is reached, what comes out is a function of the program and the finding.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "mc/counterexample/follower.hpp"
#include "mc/counterexample/sites.hpp"
#include "mc/explore.hpp"
#include "mc/history/history.hpp"
#include "mc/verdict/examiner.hpp"

namespace rehearse::mc::counterexample {

struct Limit {
  std::uint64_t executions = 3000;
  std::uint64_t events = 1'000'000;
  double seconds = 2;
};

// What became of an execution.
struct Look {
  bool came_out = false;        // otherwise it led nowhere, or a limit was reached
  bool strayed = false;         // something that was forced was not possible
  bool ends_well = false;       // all is over, and nothing is wrong
  std::optional<Finding> same;  // the finding that is asked about, of this execution
  std::vector<Taken> taken;     // its choices
};

class Runs {
 public:
  using OnGraph = std::function<void(const graph::Graph&, const Look&)>;  // while the graph is there

  // Of `options` neither policies, strategy nor bounds of the search are looked at. All must outlive it.
  Runs(Program& program, const ExploreOptions& options, const Policy& policy, const Judge& judge,
       const Finding& finding, const Limit& limit);

  Look follow(const Follower::Orders& orders, const OnGraph& on_graph = {});
  // As above, with what is forced found on the way.
  Look follow(Follower& follower, const OnGraph& on_graph);
  // Tries the executions with so many deviations from the first one of an exploration, until one shows the
  // finding; its decisions that are not the first alternatives are stored in `deviating`, and those that have
  // alternatives in `all`. `is_complete`: there are no executions with more deviations.
  Look search(std::uint32_t deviations, std::vector<Forced>& deviating, std::vector<Forced>& all, bool& is_complete);

  // From now on the finding may be at other lines of the same functions.
  void ignore_lines() { by_lines_ = false; }

  bool is_over() const;
  std::uint64_t executions() const { return executions_; }
  const Policy& policy() const { return options_.semantics.policies.front(); }
  Sites& sites() { return sites_; }
  // How the same graph ends where nobody needs to wait: well?
  bool ends_well_without_waiting(const graph::Graph& graph);

 private:
  void judge(const graph::Graph& graph, Look& look);
  void make_room();
  bool goes_on_after(std::uint64_t events) const { return !is_over() && events_ + events < limit_.events; }

  Program& program_;
  ExploreOptions options_;  // with the one policy
  ExploreOptions free_;     // with none that makes anybody wait
  const Judge& judge_;
  const Finding& finding_;
  Limit limit_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  history::History history_;
  verdict::Examiner examiner_, free_examiner_;
  Sites sites_;
  std::uint64_t executions_ = 0, events_ = 0;
  bool by_lines_ = true;
};

// Whether they are the same to a reader: check, actors and places; without lines, calls by their names.
bool is_same_finding(const Finding& a, const Finding& b, bool by_lines = true);

}  // namespace rehearse::mc::counterexample
