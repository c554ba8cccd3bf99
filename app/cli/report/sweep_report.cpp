// SPDX-License-Identifier: MIT
//
// The table of a sweep.
#include "app/cli/report/sweep_report.hpp"

#include "app/cli/report/text_table.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {

std::string sweep_text(const app::SweepReport& report) {
  TextTable table;
  std::vector<std::string> header = {"platform", "ranks"};
  for (const app::SweepAxis& axis : report.axes) header.push_back(axis.key);
  for (const char* name : {"variability", "replicas", "mean", "+- 95 %", "compute", "transfer", "waiting"})
    header.emplace_back(name);
  table.add(std::move(header));
  for (const app::SweepPoint& point : report.points) {
    std::vector<std::string> row = {point.platform, std::to_string(point.ranks)};
    for (const auto& [key, value] : point.parameters) row.push_back(value);
    row.emplace_back(name_of(point.variability));
    row.push_back(std::to_string(point.makespans.size()));
    row.push_back(fmt::format("{:.6g} s", point.times.mean));
    const app::ConfidenceInterval interval = point.interval();
    row.push_back(fmt::format("{:.2g} s", (interval.high - interval.low) / 2));
    for (const double seconds : {point.compute_seconds, point.communication_seconds, point.waiting_seconds})
      row.push_back(point.times.mean > 0 ? fmt::format("{:.1f} %", 100 * seconds / point.times.mean) : "");
    table.add(std::move(row));
  }
  std::string text = table.text();
  for (const std::string& crossing : crossings(report)) text += crossing + "\n";
  return text;
}

}  // namespace rehearse::cli
