// SPDX-License-Identifier: MIT
//
// Single executions of a program, each judged under one policy: the basis of minimisation and explanation.
//
// Limits: a number of executions, of events and of seconds. After a limit is reached, no further execution is judged.
//         Unless it is the limit on time, the results depend only on the program and the finding.
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

// The result of an execution.
struct ExecutionResult {
  bool was_judged = false;      // it was judged; otherwise it was abandoned, or a limit was reached
  bool has_impossible = false;  // a forced decision was not possible
  bool ends_well = false;       // all actors ended, without an error
  std::optional<Finding> same;  // the finding of this execution that equals the given one
  std::vector<Taken> taken;     // its choices
};

class Runs {
 public:
  using OnGraph =
      std::function<void(const graph::Graph&, const ExecutionResult&)>;  // the graph is valid during the call

  // Ignores the policies, the strategy and the bounds of `options`. All references must outlive this object.
  Runs(Program& program, const ExploreOptions& options, const Policy& policy, const Judge& judge,
       const Finding& finding, const Limit& limit);

  ExecutionResult follow(const Follower::Orders& orders, const OnGraph& on_graph = {});
  // As above, with a follower that may add forced decisions during the execution.
  ExecutionResult follow(Follower& follower, const OnGraph& on_graph);
  // Tries the executions with exactly this number of deviations, until one shows the finding. `deviating`: its
  // decisions that are not the first alternatives. `all`: its decisions that have alternatives. `is_complete`: no
  // execution has more deviations.
  ExecutionResult search(std::uint32_t deviations, std::vector<Forced>& deviating, std::vector<Forced>& all,
                         bool& is_complete);

  // From now on a finding at another line of the same functions is the same finding.
  void ignore_lines() { by_lines_ = false; }

  bool is_over() const;
  std::uint64_t executions() const { return executions_; }
  const Policy& policy() const { return options_.semantics.policies.front(); }
  Sites& sites() { return sites_; }
  // Whether the same graph ends well under the policy that makes no sender wait.
  bool ends_well_without_waiting(const graph::Graph& graph);

 private:
  void judge(const graph::Graph& graph, ExecutionResult& result);
  void make_room();
  bool goes_on_after(std::uint64_t events) const { return !is_over() && events_ + events < limit_.events; }

  Program& program_;
  ExploreOptions options_;  // with the given policy only
  ExploreOptions free_;     // with the policy that makes no sender wait
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

// Compares id, actors and locations. Without `by_lines`, compares calls by name and function.
bool is_same_finding(const Finding& a, const Finding& b, bool by_lines = true);

}  // namespace rehearse::mc::counterexample
