// SPDX-License-Identifier: MIT
//
// See barrier_look.hpp.
#include "smpi/collective/barrier_look.hpp"

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

bool leaves_out_barrier() {
  const BarrierLook& look = barrier_look();
  const CallScope* scope = CallScope::innermost();
  if ((!look.reports && look.left_out == 0) || scope == nullptr) return false;
  const std::uint64_t place = place_in_program(scope->caller());
  if (look.reports && per_rank<Reported>().places.insert(place).second)
    report(BarrierLook::place_reported, Severity::note, std::to_string(place));
  return place == look.left_out;
}

void report_output() {
  if (!barrier_look().reports || per_rank<Reported>().output) return;
  per_rank<Reported>().output = true;
  report(BarrierLook::output_reported, Severity::note, "writes");
}

}  // namespace rehearse::smpi
