// SPDX-License-Identifier: MIT
//
// See check_report.hpp.
#include "app/check_report.hpp"

#include <algorithm>
#include <utility>

#include "simcore/support/assert.hpp"
#include "smpi/abi.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {
namespace {

// A place that is not in a call of MPI: a choice of the program's own, or of its operating system.
constexpr const char* no_call = "a choice of the program";

}  // namespace

std::vector<BranchingPlace> branching_places(const smpi::LoadedProgram& program, const mc::Verdict& verdict) {
  std::vector<BranchingPlace> places;
  for (const mc::Branching& branching : verdict.branchings) {
    BranchingPlace& place = places.emplace_back();
    const smpi::CalledAt at = program.called_at(branching.site);
    place.call = at.function == 0 ? no_call : smpi::functions()[at.function - 1].name;
    place.of_any_source = branching.of_any_source;
    place.frame = at.frame;
    place.executions = branching.executions;
    place.share = static_cast<double>(branching.executions) / static_cast<double>(verdict.branched);
  }
  return places;
}

const Finding* first_error(const mc::Verdict& verdict) {
  const auto found = std::ranges::find(verdict.findings, Severity::error, &Finding::severity);
  return found == verdict.findings.end() ? nullptr : &*found;
}

Finding* first_error(mc::Verdict& verdict) { return const_cast<Finding*>(first_error(std::as_const(verdict))); }

Answer answer_of(const mc::Verdict& verdict) {
  if (first_error(verdict) != nullptr) return Answer::violation;
  return verdict.exhaustive ? Answer::verified : Answer::inconclusive;
}

std::string_view name_of(Answer answer) {
  switch (answer) {
    case Answer::verified: return "verified";
    case Answer::violation: return "violation";
    case Answer::inconclusive: return "inconclusive";
  }
  REHEARSE_ASSERT(false, "an answer without a name");
  return {};
}

}  // namespace rehearse::app
