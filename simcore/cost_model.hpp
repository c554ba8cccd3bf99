// SPDX-License-Identifier: MIT
//
// How long transfers and computations take on a platform: what the timed driver asks of a model.
//
// Protocol:  start_* at the current date; next_date() says when something happens inside the model;
//            advance() to that date or an earlier one, never beyond. Dates never go back.
// Order:     what ends at the same date ends in the order in which it was started.
// Ownership: a model keeps a reference to its Platform.
// Errors:    start_transfer returns nothing where the platform has no route.
// Threads:   none.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"
#include "simcore/time.hpp"

namespace rehearse {

// A transfer or computation that was started and has not ended. Small numbers, used again afterwards.
struct ActivityId {
  std::uint32_t value = 0;
  auto operator<=>(const ActivityId&) const = default;
};

class CostModel {
 public:
  static constexpr TimePoint never{std::numeric_limits<std::int64_t>::max()};

  virtual ~CostModel() = default;

  virtual std::optional<ActivityId> start_transfer(HostId source, HostId destination,
                                                   std::uint64_t bytes, TimePoint now) = 0;

  // Requires flops > 0. One core does it; the host's cores are shared fairly.
  virtual ActivityId start_compute(HostId host, double flops, TimePoint now) = 0;

  // What a message without content needs: the time of its envelope. Nothing: no route.
  virtual std::optional<Duration> latency(HostId source, HostId destination) = 0;

  // `never` while is_busy() means: after the end of the range of simulated time.
  virtual TimePoint next_date() = 0;
  virtual bool is_busy() const = 0;

  // Requires now <= next_date().
  virtual void advance(TimePoint now, std::vector<ActivityId>& ended) = 0;
};

// The names that make_cost_model knows, for messages and lists.
std::string_view cost_model_names();

// `network` is one of lv08, smpi, cm02, raw. The platform must outlive the model.
Result<std::unique_ptr<CostModel>> make_cost_model(const std::string& network,
                                                   const Platform& platform);

}  // namespace rehearse
