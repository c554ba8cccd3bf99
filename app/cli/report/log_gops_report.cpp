// SPDX-License-Identifier: MIT
//
// See log_gops_report.hpp.
#include "app/cli/report/log_gops_report.hpp"

#include <cstdio>

#include "app/finding_json.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

double seconds_of(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

}  // namespace

app::Json log_gops_report(const app::LogGopsReplay& replay, const trace::LogGopsParameters& parameters) {
  app::Json json = {{"simulated_seconds", seconds_of(replay.end_ns())},
                    {"wall_seconds", replay.wall_seconds},
                    {"platform", nullptr},
                    {"ranks", app::Json::array()},
                    {"findings", app::Json::array()}};
  app::Json ranks = app::Json::array();
  for (std::uint32_t number = 0; number < replay.ranks.size(); ++number) {
    const app::LogGopsRank& rank = replay.ranks[number];
    app::Json& each = ranks.emplace_back(app::Json::object(6));  // without a braced list: there may be many ranks
    each["rank"] = number;
    each["exit"] = rank.has_ended ? app::Json(0) : app::Json(nullptr);
    each["compute_seconds"] = seconds_of(rank.compute_ns);
    each["messages"] = rank.messages;
    each["bytes"] = rank.bytes;
    each["end_seconds"] = rank.has_ended ? app::Json(seconds_of(rank.end_ns)) : app::Json(nullptr);
  }
  json["ranks"] = std::move(ranks);
  for (const Finding& finding : replay.findings) json["findings"].push_back(app::to_json(finding));
  json["network"] = "loggops";
  json["loggops"] = text_of(parameters);
  json["actions"] = replay.actions;
  json["events"] = replay.events;
  json["format"] = replay.format;
  json["volume"] = replay.format == "ti" ? "flops" : "seconds";
  return json;
}

std::string summary_of(const app::LogGopsReplay& replay) {
  char end[64];
  std::snprintf(end, sizeof end, "%.9f s", seconds_of(replay.end_ns()));
  return app::counted(replay.ranks.size(), "rank") + " took " + end + " (network loggops, " +
         app::counted(replay.actions, "action") + " of a trace)";
}

}  // namespace rehearse::cli
