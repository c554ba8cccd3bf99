// SPDX-License-Identifier: MIT
//
// See barrier_search.hpp.
#include "smpi/collective/barrier_search.hpp"

#include <cstdint>
#include <set>
#include <string>

#include "smpi/abi/call_scope.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

struct Reported {
  std::set<std::uint64_t> places;
  bool output = false;
};

}  // namespace

bool skips_barrier() {
  const BarrierSearch& search = barrier_search();
  const CallScope* scope = CallScope::innermost();
  if ((!search.reports && search.skipped_place == 0) || scope == nullptr) return false;
  const std::uint64_t place = place_in_program(scope->caller());
  if (search.reports && per_rank<Reported>().places.insert(place).second)
    report(BarrierSearch::place_reported, Severity::note, std::to_string(place));
  return place == search.skipped_place;
}

void report_output() {
  if (!barrier_search().reports || per_rank<Reported>().output) return;
  per_rank<Reported>().output = true;
  report(BarrierSearch::output_reported, Severity::note, "writes");
}

}  // namespace rehearse::smpi
