// SPDX-License-Identifier: MIT
//
// See trace_check.hpp.
#include "app/trace_check.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "app/machine.hpp"
#include "app/timed_run.hpp"
#include "app/trace/recording_file.hpp"
#include "simcore/engine.hpp"

namespace rehearse::app {
namespace {

constexpr std::array policies = {Policy{}, Policy{0, false}, Policy{0, true}};

bool is_same_place(const Location& a, const Location& b) {
  return a.actor == b.actor && a.file == b.file && a.line == b.line && a.call == b.call;
}

// Places of ranks beside the fault depend on the policy. Of a deadlock, all places are the fault.
bool is_same(const Finding& a, const Finding& b) {
  if (a.id != b.id || a.actors != b.actors) return false;
  return !a.id.is_under(finding_ids::deadlock) || std::ranges::equal(a.locations, b.locations, is_same_place);
}

class Check {
 public:
  explicit Check(const TraceCheckRequest& request) : request_(request) {}

  // False: the rest cannot be checked.
  Result<bool> run(const Policy& policy) {
    const bool is_first = checked_.ranks == 0;
    auto opened =
        trace::open_program(request_.file, request_.wildcards, is_first ? trace::Reports::all : trace::Reports::none);
    if (!opened) return opened.error();
    trace::ReplayedProgram& program = *opened.value();
    MachineOptions same_for_all;
    same_for_all.models.values["network"] = "constant";
    auto machine = make_machine(same_for_all, program.actor_count());
    if (!machine) return machine.error();
    EngineOptions options;
    options.eager_bytes = policy.eager_bytes;
    options.synchronising_collectives = policy.synchronising;
    auto timed = run_timed(program, *machine.value(), std::move(options));
    if (program.problem()) return *program.problem();
    if (!timed) return timed.error();
    checked_.format = program.format();
    checked_.ranks = program.actor_count();
    checked_.data = mark_in(program.about());
    checked_.actions = std::max(checked_.actions, program.actions());
    for (Finding& finding : timed.value().findings) add(std::move(finding), policy, is_first);
    for (std::string& reason : timed.value().unsupported)
      if (std::ranges::find(checked_.unsupported, reason) == checked_.unsupported.end())
        checked_.unsupported.push_back(std::move(reason));
    return checked_.unsupported.empty();
  }

  TraceCheck finish() {
    for (Finding& finding : checked_.findings) {
      const bool is_in_all = finding.policies.size() == policies.size();
      if (is_in_all || is_of_the_trace(finding)) finding.policies.clear();
    }
    return std::move(checked_);
  }

 private:
  // Found in the actions themselves, by the first execution only.
  static bool is_of_the_trace(const Finding& finding) {
    return finding.id == "message.truncated" || finding.id.is_under(finding_ids::resource);
  }

  // An execution that a deadlock ends early under one policy may leave messages that others receive.
  void add(Finding finding, const Policy& policy, bool is_first) {
    const auto known = std::ranges::find_if(checked_.findings, [&](const Finding& each) {
      return each.policies.back() != policy && is_same(each, finding);
    });
    if (known != checked_.findings.end()) {
      known->policies.push_back(policy);
      return;
    }
    if (!is_first && finding.id == finding_ids::message_lost) return;
    finding.policies = {policy};
    checked_.findings.push_back(std::move(finding));
  }

  const TraceCheckRequest& request_;
  TraceCheck checked_;
};

}  // namespace

std::vector<Policy> trace_check_policies() { return {policies.begin(), policies.end()}; }

Result<TraceCheck> check_trace(const TraceCheckRequest& request) {
  Check check(request);
  for (const Policy& policy : policies) {
    const Result<bool> goes_on = check.run(policy);
    if (!goes_on) return goes_on.error();
    if (!goes_on.value()) break;
  }
  return check.finish();
}

}  // namespace rehearse::app
