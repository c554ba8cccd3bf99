// SPDX-License-Identifier: MIT
//
// Running flows.
#include "app/flow_run.hpp"

#include <algorithm>
#include <numeric>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

bool is_same(const Limit& a, const Limit& b) {
  return a.kind == b.kind && a.link == b.link && a.host == b.host && a.disk == b.disk && a.capacity == b.capacity &&
         a.flows == b.flows;
}

constexpr double packet_bytes_max = 1e14;  // below the length of a stream of packets

class FlowRun {
 public:
  FlowRun(const std::vector<Flow>& flows, const FlowSetting& setting)
      : flows_(flows),
        costs_(setting.costs),
        platform_(setting.platform),
        has_limits_(setting.has_limits),
        stop_(setting.stop),
        ends_(flows.size()) {
    order_.resize(flows.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return flows[i].start_seconds; });
  }

  std::optional<FlowProblem> run() {
    while (true) {
      const TimePoint start = next_ < order_.size() ? start_of(order_[next_]) : CostModel::never;
      if (start == CostModel::never && !costs_.is_busy()) return std::nullopt;
      const TimePoint date = std::min(start, has_limits_ ? costs_.next_date() : costs_.next_end(start));
      if (stop_.stop_requested()) {  // the cost model, too, may have given up before that date
        interrupted_ = costs_.packets() != nullptr && date != CostModel::never ? date : now_;
        return std::nullopt;
      }
      if (const std::string* problem = costs_.problem()) return FlowProblem{0, *problem};
      if (date == CostModel::never) return endless();
      if (has_limits_) note_limits(date);
      advance(date);
      for (; next_ < order_.size() && start_of(order_[next_]) == date; ++next_)
        if (auto problem = begin(order_[next_], date)) return problem;
      now_ = date;
    }
  }

  std::vector<FlowEnd>& ends() { return ends_; }
  std::optional<TimePoint> interrupted() const { return interrupted_; }

 private:
  static constexpr std::size_t nobody = ~std::size_t{0};

  TimePoint start_of(std::size_t flow) const {
    return TimePoint{} + Duration::from_seconds(flows_[flow].start_seconds);
  }

  std::optional<FlowProblem> begin(std::size_t index, TimePoint now) {
    const Flow& flow = flows_[index];
    if (costs_.packets() != nullptr && flow.bytes > packet_bytes_max)
      return FlowProblem{flow.line, fmt::format("size {} given; network model packet accepts up to {} bytes",
                                                flow.bytes, packet_bytes_max)};
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
      flow.status = end.failed ? FlowStatus::failed : FlowStatus::done;
      if (const PacketNetwork* packets = costs_.packets()) flow.packets = packets->flow(end.activity);
      if (has_limits_ && costs_.packets() != nullptr && !end.failed) end_interval(flow_of_[end.activity.value], 0);
      flow_of_[end.activity.value] = nobody;
    }
  }

  // Records the limit of each flow from now until the date.
  void note_limits(TimePoint until) {
    for (std::uint32_t activity = 0; activity < flow_of_.size(); ++activity) {
      if (flow_of_[activity] == nobody || until == now_) continue;
      const Limit limit = costs_.limit({activity}, now_);
      const bool has_packets = costs_.packets() != nullptr;
      const double rate = has_packets ? 0 : costs_.rate({activity}, now_);
      if (has_packets) end_interval(flow_of_[activity], costs_.remaining({activity}, now_));
      std::vector<LimitedTime>& limits = ends_[flow_of_[activity]].limits;
      if (!limits.empty() && limits.back().to == now_ && is_same(limits.back().limit, limit) &&
          (has_packets || std::abs(limits.back().rate - rate) <= 1e-12 * rate))
        limits.back().to = until;
      else limits.push_back({now_, until, limit, rate});
    }
  }

  // The rate of packets is the mean of an interval. Its end is the present date, and so much remains.
  void end_interval(std::size_t flow, double remaining) {
    if (rest_.empty()) rest_.resize(flows_.size());
    std::vector<LimitedTime>& limits = ends_[flow].limits;
    if (limits.empty()) rest_[flow] = {0, flows_[flow].bytes, flows_[flow].bytes};
    if (limits.empty() || limits.back().to == limits.back().from) return;
    Rest& rest = rest_[flow];
    if (rest.interval != limits.size()) rest = {limits.size(), rest.latest, rest.latest};
    rest.latest = remaining;
    limits.back().rate = (rest.at_start - remaining) / (limits.back().to - limits.back().from).seconds();
  }

  std::optional<FlowProblem> endless() const {
    for (const std::size_t flow : flow_of_)
      if (flow != nobody) return FlowProblem{flows_[flow].line, "this flow does not end within 53 days"};
    return std::nullopt;
  }

  struct Rest {
    std::size_t interval = 0;  // the number of intervals with this one
    double at_start = 0;       // remaining bytes
    double latest = 0;
  };

  const std::vector<Flow>& flows_;
  CostModel& costs_;
  const Platform& platform_;
  bool has_limits_;
  StopToken stop_;
  std::vector<FlowEnd> ends_;
  std::vector<std::size_t> order_;  // by start
  std::size_t next_ = 0;
  std::vector<std::size_t> flow_of_;  // by activity
  std::vector<Ended> ended_;
  TimePoint now_;
  std::optional<TimePoint> interrupted_;
  std::vector<Rest> rest_;  // by flow, with packets
};

}  // namespace

SimulatedFlows simulate(const std::vector<Flow>& flows, const FlowSetting& setting) {
  FlowRun run(flows, setting);
  auto problem = run.run();
  return {std::move(run.ends()), std::move(problem), run.interrupted()};
}

}  // namespace rehearse::app
