// SPDX-License-Identifier: MIT
//
// Meters who uses which hosts and links of a machine, by the named regions of the program (rehearse_begin).
//
// Category: the innermost region in which a rank computes or starts a message.
// Protocol: start() before the cost model's first start; the run, with it among its timelines and category_of()
//           as its categories if the regions matter; finish() once.
// Errors:   start: a network model that does not tell the uses of links, a platform with too many hosts.
// Threads:  none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/support/result.hpp"
#include "simcore/timeline.hpp"
#include "simcore/use_map.hpp"

namespace rehearse::app {

class UsageMeter final : public Timeline {
 public:
  // Both must outlive it. `network`: the name of the model.
  static Result<std::unique_ptr<UsageMeter>> start(const Platform& platform, CostModel& costs,
                                                   const std::string& network);

  Category category_of(ActorId actor) const;
  UseMap finish(CostModel& costs, TimePoint end);

  void on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) override;
  void on_computation(ActorId, TimePoint, TimePoint) override {}

 private:
  explicit UsageMeter(const Platform& platform) : platform_(platform), recorder_(platform) {}

  const Platform& platform_;
  UseRecorder recorder_;
  CategoryNames names_;
  std::vector<std::vector<Category>> regions_;  // by actor, the innermost is the last
};

}  // namespace rehearse::app
