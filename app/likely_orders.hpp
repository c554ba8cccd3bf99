// SPDX-License-Identifier: MIT
//
// The likely orders on a platform: the program runs there again without a schedule. Where it takes another message than
// the counter-example, the dates of the two are compared.
//
// Meaning: the slack of a decision is the delay of the taken message, or the advance of the other one, with which the
//          order of the counter-example would happen without a schedule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/counterexample.hpp"
#include "app/finding_json.hpp"
#include "app/machine.hpp"
#include "simcore/schedule.hpp"
#include "simcore/time.hpp"

namespace rehearse::app {

// A receive with a decision, and its result without a schedule.
struct LikelyMatch {
  std::string text;  // its result in the counter-example
  std::pair<ActorId, RequestId> receive;
  SendName wanted;                               // by the counter-example
  std::optional<SendName> taken;                 // none: the receive was not posted, or got no message
  std::optional<TimePoint> wanted_at, taken_at;  // dates at which they could be received

  bool is_same() const { return taken && *taken == wanted; }
  std::optional<Duration> slack() const;
};

struct LikelyOrders {
  std::vector<LikelyMatch> matches;  // of the needed decisions and of the critical one
  bool is_same_finding = false;      // it happens without a schedule
  bool ends_well = false;
  TimePoint end;
};

// Runs the program. The error is the reason why it could not run.
Result<LikelyOrders> likely_orders(const Counterexample& counterexample, const MachineOptions& machine,
                                   double step_seconds);

std::string text_of(const LikelyOrders& orders, const Finding& finding, const std::string& platform);
Json to_json(const LikelyOrders& orders);

}  // namespace rehearse::app
