// SPDX-License-Identifier: MIT
//
// Running flows.
#include "app/flow_run.hpp"

#include <algorithm>
#include <numeric>

namespace rehearse::app {
namespace {

bool is_same(const Limit& a, const Limit& b) {
  return a.kind == b.kind && a.link == b.link && a.host == b.host && a.disk == b.disk && a.capacity == b.capacity &&
         a.flows == b.flows;
}

class FlowRun {
 public:
  FlowRun(const std::vector<Flow>& flows, CostModel& costs, const Platform& platform, bool has_limits)
      : flows_(flows), costs_(costs), platform_(platform), has_limits_(has_limits), ends_(flows.size()) {
    order_.resize(flows.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return flows[i].start_seconds; });
  }

  std::optional<FlowProblem> run() {
    while (true) {
      const TimePoint start = next_ < order_.size() ? start_of(order_[next_]) : CostModel::never;
      if (start == CostModel::never && !costs_.is_busy()) return std::nullopt;
      const TimePoint date = std::min(start, costs_.next_date());
      if (date == CostModel::never) return endless();
      if (has_limits_) note_limits(date);
      advance(date);
      for (; next_ < order_.size() && start_of(order_[next_]) == date; ++next_)
        if (auto problem = begin(order_[next_], date)) return problem;
      now_ = date;
    }
  }

  std::vector<FlowEnd>& ends() { return ends_; }

 private:
  static constexpr std::size_t nobody = ~std::size_t{0};

  TimePoint start_of(std::size_t flow) const {
    return TimePoint{} + Duration::from_seconds(flows_[flow].start_seconds);
  }

  std::optional<FlowProblem> begin(std::size_t index, TimePoint now) {
    const Flow& flow = flows_[index];
    const Transfer transfer{flow.source, flow.destination, flow.bytes, flow.rate};
    const auto activity = costs_.start(transfer, now);
    if (!activity)
      return FlowProblem{flow.line, "there is no route from host '" + platform_.host(flow.source).name + "' to host '" +
                                        platform_.host(flow.destination).name + "'"};
    if (activity->value >= flow_of_.size()) flow_of_.resize(activity->value + 1, nobody);
    flow_of_[activity->value] = index;
    if (has_limits_) ends_[index].terms = costs_.terms(transfer, now);
    return std::nullopt;
  }

  void advance(TimePoint date) {
    ended_.clear();
    costs_.advance(date, ended_);
    for (const Ended& end : ended_) {
      FlowEnd& flow = ends_[flow_of_[end.activity.value]];
      flow.seconds = date.seconds();
      flow.failed = end.failed;
      flow_of_[end.activity.value] = nobody;
    }
  }

  // Records the limit of each flow from now until the date.
  void note_limits(TimePoint until) {
    for (std::uint32_t activity = 0; activity < flow_of_.size(); ++activity) {
      if (flow_of_[activity] == nobody || until == now_) continue;
      const Limit limit = costs_.limit({activity}, now_);
      const double rate = costs_.rate({activity}, now_);
      std::vector<LimitedTime>& limits = ends_[flow_of_[activity]].limits;
      if (!limits.empty() && limits.back().to == now_ && is_same(limits.back().limit, limit) &&
          std::abs(limits.back().rate - rate) <= 1e-12 * rate)
        limits.back().to = until;
      else limits.push_back({now_, until, limit, rate});
    }
  }

  std::optional<FlowProblem> endless() const {
    for (const std::size_t flow : flow_of_)
      if (flow != nobody) return FlowProblem{flows_[flow].line, "this flow does not end within 53 days"};
    return std::nullopt;
  }

  const std::vector<Flow>& flows_;
  CostModel& costs_;
  const Platform& platform_;
  bool has_limits_;
  std::vector<FlowEnd> ends_;
  std::vector<std::size_t> order_;  // by start
  std::size_t next_ = 0;
  std::vector<std::size_t> flow_of_;  // by activity
  std::vector<Ended> ended_;
  TimePoint now_;
};

}  // namespace

std::vector<FlowEnd> simulate(const std::vector<Flow>& flows, CostModel& costs, const Platform& platform,
                              bool has_limits, std::optional<FlowProblem>& problem) {
  FlowRun run(flows, costs, platform, has_limits);
  problem = run.run();
  return std::move(run.ends());
}

}  // namespace rehearse::app
