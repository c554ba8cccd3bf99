// SPDX-License-Identifier: MIT
//
// Reads reports.
#include "app/reported_times.hpp"

#include <cmath>

#include "app/json.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::app {
namespace {

constexpr const char* accepted_report = "accepted: a report of rehearse run or rehearse trace replay (--json)";

std::string text_at(const Json& json, std::string_view key) {
  const Json* found = json.find(key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_time(const Json* json) {
  return json != nullptr && json->is_number() && std::isfinite(json->get<double>()) && json->get<double>() >= 0;
}

std::string network_in(const Json& report) {
  const Json* model = report.find("network_model");
  return model == nullptr ? text_at(report, "network") : text_at(*model, "name");
}

// The fault, or nothing.
std::string take_runs(const Json& repetition, ReportedTimes& result) {
  const Json* runs = repetition.find("runs");
  if (runs == nullptr || !runs->is_array() || runs->empty()) return "repetition: no runs";
  for (std::size_t i = 0; i < runs->size(); ++i) {
    const Json& run = (*runs)[i];
    const Json* seed = run.find("seed");
    const Json* seconds = run.find("simulated_seconds");
    if (seed == nullptr || !seed->is_number_unsigned()) return fmt::format("repetition: runs: {}: no seed", i);
    if (!is_time(seconds)) return fmt::format("repetition: runs: {}: no simulated_seconds from 0 on", i);
    result.times.seeds.push_back(seed->get<std::uint64_t>());
    result.times.seconds.push_back(seconds->get<double>());
    result.disturbed += run.value("disturbed", false) ? 1 : 0;
  }
  result.requested = repetition.value("requested", std::uint64_t{result.times.seconds.size()});
  return "";
}

}  // namespace

Result<ReportedTimes> read_reported_times(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return Error{fmt::format("{}: cannot be read; {}", file, accepted_report)};
  const auto parsed = parse_json(*text);
  if (!parsed) return Error{fmt::format("{}: {}; {}", file, parsed.error().text, accepted_report)};
  const Json& report = parsed.value();
  const Json* seconds = report.find("simulated_seconds");
  const Json* ranks = report.find("ranks");
  if (!is_time(seconds) || ranks == nullptr || !ranks->is_array())
    return Error{fmt::format("{}: no simulated_seconds and ranks; {}", file, accepted_report)};
  ReportedTimes result;
  result.file = file;
  result.platform = text_at(report, "platform");
  result.network = network_in(report);
  result.ranks = ranks->size();
  try {
    if (const Json* repetition = report.find("repetition")) {
      if (const std::string fault = take_runs(*repetition, result); !fault.empty())
        return Error{fmt::format("{}: {}; {}", file, fault, accepted_report)};
      return result;
    }
  } catch (const JsonError& error) {
    return Error{fmt::format("{}: repetition: {}; {}", file, error.what(), accepted_report)};
  }
  result.times.seconds.push_back(seconds->get<double>());
  return result;
}

}  // namespace rehearse::app
