// SPDX-License-Identifier: MIT
//
// Who may flow where the number of flows is limited: the part Admission by itself.
#include "simcore/sharing/admission.hpp"

#include <catch2/catch.hpp>

namespace rehearse::sharing {
namespace {

// Two resources; the first lets one flow in.
struct Gated {
  Gated() {
    state.resources.resize(2);
    admission.gate(0).limit = 1;
  }
  ActivityIndex add(std::vector<Use> uses) {
    state.activities.emplace_back().uses = std::move(uses);
    return static_cast<ActivityIndex>(state.activities.size() - 1);
  }

  FluidState state;
  Admission admission{state};
};

TEST_CASE("admission: a full resource admits activities that do not count there", "[sharing]") {
  Gated g;
  const ActivityIndex counts = g.add({{0, 1}}), small = g.add({{0, 0.5}}), elsewhere = g.add({{1, 1}});
  CHECK(g.admission.may_flow(g.state.activities[counts]));
  g.state.resources[0].flows = 1;
  CHECK_FALSE(g.admission.may_flow(g.state.activities[counts]));
  CHECK(g.admission.may_flow(g.state.activities[small]));
  CHECK(g.admission.may_flow(g.state.activities[elsewhere]));
}

TEST_CASE("admission: the first waiting activity is the next, unless it cannot flow yet", "[sharing]") {
  Gated g;
  g.admission.gate(1).limit = 1;
  const ActivityIndex both = g.add({{0, 1}, {1, 1}}), one = g.add({{0, 1}});
  g.admission.wait(both);
  g.admission.wait(one);
  CHECK(g.state.activities[both].phase == Phase::waiting);
  std::uint64_t ticket = 0;
  CHECK(g.admission.next({{0, 1}}, ticket) == both);
  CHECK(g.admission.next({{0, 1}}, ticket) == one);
  CHECK_FALSE(g.admission.next({{0, 1}}, ticket));
  g.state.resources[1].flows = 1;
  ticket = 0;
  CHECK(g.admission.next({{0, 1}}, ticket) == one);
  g.admission.stop_waiting(one);
  ticket = 0;
  CHECK_FALSE(g.admission.next({{0, 1}}, ticket));
}

}  // namespace
}  // namespace rehearse::sharing
