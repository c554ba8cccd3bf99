// SPDX-License-Identifier: MIT
//
// See efficiency_report.hpp.
#include "app/cli/report/efficiency_report.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

std::string as_part(std::optional<double> part) { return part ? fmt::format("{:.2f} %", 100 * *part) : "-"; }

std::string as_time(double seconds) { return fmt::format("{:.9f} s", seconds); }

app::Json json_of(std::optional<double> number) { return number ? app::Json(*number) : app::Json(nullptr); }

ReportTable metrics_table(const app::EfficiencyFigures& efficiency) {
  const app::EfficiencyMetrics& metrics = efficiency.metrics;
  return {"Efficiency",
          {"metric", "value", "meaning"},
          {{"parallel efficiency", as_part(metrics.parallel), "load balance x communication = mean computation / time"},
           {"  load balance", as_part(metrics.load_balance), "mean / most computation of a rank"},
           {"  communication", as_part(metrics.communication), "serialisation x transfer = most computation / time"},
           {"    serialisation", as_part(metrics.serialisation), "most computation / time on an ideal network"},
           {"    transfer", as_part(metrics.transfer), "time on an ideal network / time"}},
          ""};
}

// The parts of the time of a rank on average; their sum is the time.
ReportTable losses_table(const app::EfficiencyFigures& efficiency) {
  const app::MeasuredWork& work = efficiency.work;
  const double mean = work.mean_seconds(), most = work.most_seconds(), ideal = efficiency.ideal_seconds;
  ReportTable table{"Time", {"of the time of a rank", "seconds", "part"}, {}, ""};
  const auto add = [&](const char* name, double seconds) {
    const double part = work.seconds > 0 ? seconds / work.seconds : 0;
    table.rows.push_back({name, as_time(seconds), fmt::format("{:.2f} %", 100 * part)});
  };
  add("computation", mean);
  add("lost to uneven computation", most - mean);
  add("lost to the order of messages", ideal - most);
  add("lost to the network", work.seconds - ideal);
  add("all", work.seconds);
  return table;
}

ReportTable ranks_table(const app::EfficiencyFigures& efficiency, std::size_t most_ranks,
                        const std::vector<std::string>& hosts) {
  const app::MeasuredWork& work = efficiency.work;
  std::vector<std::uint32_t> shown(work.ranks.size());
  std::iota(shown.begin(), shown.end(), 0U);
  ReportTable table{"Ranks", {"rank", "computation", "of the time", "of the mean"}, {}, ""};
  if (!hosts.empty()) table.header.emplace_back("host");
  if (shown.size() > most_ranks) {
    std::ranges::stable_sort(shown, [&](std::uint32_t one, std::uint32_t other) {
      return work.ranks[one].compute_seconds > work.ranks[other].compute_seconds;
    });
    const auto half = static_cast<std::ptrdiff_t>(most_ranks / 2);
    shown.erase(shown.begin() + half, shown.end() - half);
    table.note = fmt::format("the {} ranks with the most and the {} with the least computation, of {}", half, half,
                             work.ranks.size());
  }
  const double mean = work.mean_seconds();
  for (const std::uint32_t rank : shown) {
    const double seconds = work.ranks[rank].compute_seconds;
    table.rows.push_back({std::to_string(rank), as_time(seconds),
                          work.seconds > 0 ? fmt::format("{:.2f} %", 100 * seconds / work.seconds) : "-",
                          mean > 0 ? fmt::format("{:.2f} %", 100 * seconds / mean) : "-"});
    if (!hosts.empty()) table.rows.back().push_back(hosts[rank]);
  }
  return table;
}

ReportTable scaling_table(const app::EfficiencyFigures& efficiency) {
  const app::ScalingMetrics& scaling = *efficiency.scaling;
  ReportTable table{"Scaling", {"metric", "value", "meaning"}, {}, ""};
  table.rows = {{"global efficiency", as_part(scaling.global), "parallel efficiency x computation scaling"},
                {"  computation scaling", as_part(scaling.computation),
                 "volume x rate: computation of the smaller run / this"},
                {"    volume", as_part(scaling.volume), "flops of the smaller run / flops"},
                {"    rate", as_part(scaling.rate), "flops per second of computation / those of the smaller run"}};
  const double speedup = efficiency.work.seconds > 0 ? scaling.seconds / efficiency.work.seconds : 0;
  table.note = fmt::format("{} with {} took {}: {:.3f} times as long", scaling.trace,
                           app::counted(scaling.ranks, "rank"), as_time(scaling.seconds), speedup);
  return table;
}

ReportTable ladder_table(const app::EfficiencyFigures& efficiency) {
  ReportTable table{"What if", {"what if", "time", "saved", "faster by"}, {}, ""};
  const double base = efficiency.work.seconds;
  for (const app::LadderStep& step : efficiency.ladder)
    table.rows.push_back({step.name, as_time(step.seconds),
                          base > 0 ? fmt::format("{:.2f} %", 100 * (base - step.seconds) / base) : "-",
                          step.seconds > 0 ? fmt::format("{:.3f}", base / step.seconds) : "-"});
  return table;
}

void add_metrics(std::vector<std::string>& cells, const app::PartWork& part) {
  for (const auto& metric : {part.parallel, part.load_balance, part.communication}) cells.push_back(as_part(metric));
}

ReportTable regions_table(const app::EfficiencyFigures& efficiency) {
  ReportTable table{"Regions", {"computation before calls in", "mean", "most", "of the time", "load balance"}, {}, ""};
  for (const app::PartWork& part : efficiency.regions)
    table.rows.push_back({part.function.empty() ? "unknown" : part.function, as_time(part.mean), as_time(part.most),
                          as_part(part.parallel), as_part(part.load_balance)});
  return table;
}

ReportTable windows_table(const app::EfficiencyFigures& efficiency) {
  ReportTable table{"Windows", {"from", "to", "parallel efficiency", "load balance", "communication"}, {}, ""};
  for (const app::PartWork& part : efficiency.windows) {
    std::vector<std::string> cells = {as_time(part.begin_seconds), as_time(part.begin_seconds + part.seconds)};
    add_metrics(cells, part);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

app::Json json_of(const app::PartWork& part) {
  return {{"mean_compute_seconds", part.mean},
          {"most_compute_seconds", part.most},
          {"load_balance", json_of(part.load_balance)},
          {"communication", json_of(part.communication)},
          {"parallel", json_of(part.parallel)}};
}

}  // namespace

std::vector<std::string> hosts_of(const app::TraceReplay& replay) {
  std::vector<std::string> names;
  for (const ActorResult& rank : replay.run.result.actors)
    names.push_back(replay.machine->platform.host(rank.host).name);
  return names;
}

std::vector<ReportTable> tables_of(const app::EfficiencyFigures& efficiency, std::size_t most_ranks,
                                   const std::vector<std::string>& hosts) {
  std::vector<ReportTable> tables = {metrics_table(efficiency), losses_table(efficiency)};
  if (efficiency.scaling) tables.push_back(scaling_table(efficiency));
  if (!efficiency.ladder.empty()) tables.push_back(ladder_table(efficiency));
  if (!efficiency.regions.empty()) tables.push_back(regions_table(efficiency));
  if (!efficiency.windows.empty()) tables.push_back(windows_table(efficiency));
  tables.push_back(ranks_table(efficiency, most_ranks, hosts));
  return tables;
}

app::Json to_json(const app::EfficiencyFigures& efficiency) {
  const app::MeasuredWork& work = efficiency.work;
  const app::EfficiencyMetrics& metrics = efficiency.metrics;
  app::Json json = {{"simulated_seconds", work.seconds},
                    {"ideal_seconds", efficiency.ideal_seconds},
                    {"compute_seconds",
                     {{"mean", work.mean_seconds()}, {"most", work.most_seconds()}, {"sum", work.sum_seconds()}}},
                    {"efficiency",
                     {{"load_balance", json_of(metrics.load_balance)},
                      {"serialisation", json_of(metrics.serialisation)},
                      {"transfer", json_of(metrics.transfer)},
                      {"communication", json_of(metrics.communication)},
                      {"parallel", json_of(metrics.parallel)}}}};
  if (efficiency.scaling) {
    const app::ScalingMetrics& scaling = *efficiency.scaling;
    json["scaling"] = {{"reference", scaling.trace},           {"reference_ranks", scaling.ranks},
                       {"reference_seconds", scaling.seconds}, {"computation", json_of(scaling.computation)},
                       {"volume", json_of(scaling.volume)},    {"rate", json_of(scaling.rate)},
                       {"global", json_of(scaling.global)}};
  }
  if (!efficiency.ladder.empty()) {
    app::Json ladder = app::Json::array();
    for (const app::LadderStep& step : efficiency.ladder)
      ladder.push_back({{"what_if", step.name}, {"simulated_seconds", step.seconds}});
    json["ladder"] = std::move(ladder);
  }
  app::Json regions = app::Json::array(), windows = app::Json::array();
  for (const app::PartWork& part : efficiency.regions) {
    app::Json region = json_of(part);
    region["function"] = part.function;
    regions.push_back(std::move(region));
  }
  for (const app::PartWork& part : efficiency.windows) {
    app::Json window = json_of(part);
    window["begin_seconds"] = part.begin_seconds;
    window["seconds"] = part.seconds;
    windows.push_back(std::move(window));
  }
  if (!efficiency.regions.empty()) json["regions"] = std::move(regions);
  if (!efficiency.windows.empty()) json["windows"] = std::move(windows);
  app::Json ranks = app::Json::array();
  for (std::uint32_t rank = 0; rank < work.ranks.size(); ++rank)
    ranks.push_back(
        {{"rank", rank}, {"compute_seconds", work.ranks[rank].compute_seconds}, {"flops", work.ranks[rank].flops}});
  json["ranks"] = std::move(ranks);
  return json;
}

}  // namespace rehearse::cli
