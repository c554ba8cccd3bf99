// SPDX-License-Identifier: MIT
//
// Follows the marks of regions.
#include "app/usage_meter.hpp"

#include <variant>

#include "simcore/mark_stream.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {

Result<std::unique_ptr<UsageMeter>> UsageMeter::start(const Platform& platform, CostModel& costs,
                                                      const std::string& network) {
  if (platform.hosts().size() > map_hosts_max)
    return Error{fmt::format("--usage: platform '{}' has {} hosts; accepted: at most {}", platform.name(),
                             platform.hosts().size(), map_hosts_max)};
  std::unique_ptr<UsageMeter> meter(new UsageMeter(platform));
  if (!costs.observe_uses(meter->recorder_))
    return Error{fmt::format("--usage: network model '{}' does not tell which message uses a link; accepted: a model "
                             "of flows (rehearse list models)",
                             network)};
  return meter;
}

Category UsageMeter::category_of(ActorId actor) const {
  if (actor.value >= regions_.size() || regions_[actor.value].empty()) return 0;
  return regions_[actor.value].back();
}

void UsageMeter::on_operation(ActorId actor, const Operation& operation, TimePoint, TimePoint) {
  const auto* mark = std::get_if<Log>(&operation);
  if (mark == nullptr || mark->stream != mark_stream) return;
  if (actor.value >= regions_.size()) regions_.resize(actor.value + 1);
  std::vector<Category>& regions = regions_[actor.value];
  if (!mark->text.empty()) regions.push_back(names_.number(mark->text));
  else if (!regions.empty()) regions.pop_back();
}

UseMap UsageMeter::finish(CostModel& costs, TimePoint end) {
  costs.report_uses(end);
  return map_of(platform_, recorder_.finish(end, names_));
}

}  // namespace rehearse::app
