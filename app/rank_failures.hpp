// SPDX-License-Identifier: MIT
//
// Failures of ranks in timed runs: by option, or because the platform's profiles turn their hosts off.
//
// Units:  simulated seconds.
// Errors: the text begins with the value, and names what is accepted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/job.hpp"
#include "app/machine.hpp"
#include "simcore/engine.hpp"
#include "simcore/support/result.hpp"
#include "smpi/failure_plan.hpp"

namespace rehearse::app {

// A failure of a rank at a date, or at one of its calls: exactly one of both.
struct RequestedFailure {
  std::uint32_t rank = 0;
  std::optional<double> seconds;
  std::optional<std::uint64_t> call;  // as smpi::FailurePlan::AtCall
};

// RANK@SECONDS or RANK@call:NUMBER.
Result<RequestedFailure> parse_failure(const std::string& text);

// The failures of a run. Of hosts, only the first date counts at which the profile of their state turns them off;
// random profiles are left to the cost model.
struct RunFailures {
  smpi::FailurePlan plan;
  std::vector<Loss> losses;
  bool reports_outages = true;  // a message that a link loses is a finding; false: hosts may go off at random
};
Result<RunFailures> failures_of(const std::vector<RequestedFailure>& requested, const Machine& machine,
                                std::uint32_t ranks);

}  // namespace rehearse::app
