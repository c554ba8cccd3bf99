// SPDX-License-Identifier: MIT
//
// Which orders are likely on a platform: the program runs there once more, free to take whatever comes first, and where
// it takes another message than the counter-example says, the dates of the two are compared.
//
// Meaning: the slack of a decision is how much later the message that was taken would have to come, or how much earlier
//          the other one, for the counter-example's order to happen by itself.
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

// A receive that decides, and what became of it when nothing was forced.
struct LikelyMatch {
  std::string text;                  // what it does in the counter-example
  std::pair<ActorId, RequestId> receive;
  SendName wanted;                   // by the counter-example
  std::optional<SendName> taken;     // none: the receive was not there, or got nothing
  std::optional<TimePoint> wanted_at, taken_at;  // when they could be received

  bool is_same() const { return taken && *taken == wanted; }
  std::optional<Duration> slack() const;
};

struct LikelyOrders {
  std::vector<LikelyMatch> matches;  // those that the counter-example needs, and the critical one
  bool is_same_finding = false;      // it happens without being forced
  bool ends_well = false;
  TimePoint end;
};

// Runs the program. The error says why it could not.
Result<LikelyOrders> likely_orders(const Counterexample& counterexample, const MachineOptions& machine,
                                   double step_seconds);

std::string text_of(const LikelyOrders& orders, const Finding& finding, const std::string& platform);
Json to_json(const LikelyOrders& orders);

}  // namespace rehearse::app
