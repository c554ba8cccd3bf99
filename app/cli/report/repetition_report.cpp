// SPDX-License-Identifier: MIT
//
// Repeated runs as text and JSON.
#include "app/cli/report/repetition_report.hpp"

#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

std::vector<double> seconds_in(const app::Repetition& repetition) {
  std::vector<double> seconds;
  for (const app::RepeatedRun& run : repetition.runs) seconds.push_back(run.simulated_seconds);
  return seconds;
}

std::string interval_text(const std::optional<app::ConfidenceInterval>& interval) {
  return interval ? fmt::format(", 95 % interval {:.9f} s to {:.9f} s", interval->low, interval->high) : std::string();
}

void note_disturbance(const app::Repetition& repetition, std::vector<std::string>& notes) {
  const std::uint32_t stayed = repetition.disturbed(), repeated = repetition.repeated();
  if (repeated > 0)
    notes.push_back(fmt::format("{} of {} measured disturbed computation and ran again; after at most {} more, {}",
                                repeated, app::counted(repetition.runs.size(), "run"),
                                app::counted(repetition.options.more_if_disturbed, "attempt"),
                                stayed == 0 ? "none is disturbed"
                                            : fmt::format("{} still {} disturbed (the least disturbed attempt counts)",
                                                          stayed, stayed == 1 ? "is" : "are")));
  else if (stayed > 0)
    notes.push_back(
        fmt::format("{} of {} measured disturbed computation: other load, or a core that became slower, can "
                    "make it longer (--repeat-disturbed runs them again)",
                    stayed, app::counted(repetition.runs.size(), "run")));
}

std::vector<std::string> notes_of(const app::Repetition& repetition, const app::TimeStatistics& statistics) {
  std::vector<std::string> notes = repetition.first.notes;
  note_disturbance(repetition, notes);
  if (statistics.runs > 1 && statistics.all_equal())
    notes.push_back(fmt::format("all {} runs take the same time, so there is no interval: computation is not measured, "
                                "or takes no time, and no random number had an effect on the time",
                                statistics.runs));
  if (const std::uint64_t needed = statistics.skewed_runs(); needed > 0)
    notes.push_back(fmt::format("the times are skewed ({:.2g}): the interval of the mean can be trusted from about {} "
                                "runs on; that of the median does not depend on this",
                                statistics.skewness, needed));
  return notes;
}

app::Json to_json(const std::optional<app::ConfidenceInterval>& interval) {
  if (!interval) return nullptr;
  return {{"low", interval->low}, {"high", interval->high}};
}

}  // namespace

std::string text_of(const app::Repetition& repetition) {
  const app::TimeStatistics statistics = app::statistics_of(seconds_in(repetition));
  std::string text;
  for (const std::string& note : notes_of(repetition, statistics)) text += "note: " + note + '\n';
  text += "rehearse: " + app::counted(statistics.runs, "run");
  if (repetition.is_partial()) text += fmt::format(" (of {})", repetition.options.runs);
  text += " of " + repetition.first.title + fmt::format(", seed {}", repetition.options.seed);
  if (statistics.all_equal())
    return text + fmt::format(": {:.9f} s{}\n", statistics.mean, statistics.runs > 1 ? " each" : "");
  const auto line = [&](const char* name, double seconds, const std::string& more) {
    text += fmt::format("rehearse:   {:<20}{:.9f} s{}\n", name, seconds, more);
  };
  text += '\n';
  line("mean", statistics.mean, interval_text(statistics.of_mean));
  const std::string part =
      statistics.mean > 0 ? fmt::format(", {:.3g} % of the mean", 100 * statistics.deviation / statistics.mean) : "";
  line("standard deviation", statistics.deviation, part);
  line("minimum", statistics.minimum, "");
  line("10 %", statistics.tenth, "");
  line("median", statistics.median, interval_text(statistics.of_median));
  line("90 %", statistics.ninetieth, "");
  line("maximum", statistics.maximum, "");
  return text;
}

app::Json to_json(const app::TimeStatistics& statistics) {
  return {{"mean", statistics.mean},
          {"deviation", statistics.deviation},
          {"minimum", statistics.minimum},
          {"p10", statistics.tenth},
          {"median", statistics.median},
          {"p90", statistics.ninetieth},
          {"maximum", statistics.maximum},
          {"skewness", statistics.skewness},
          {"mean_interval", to_json(statistics.of_mean)},
          {"median_interval", to_json(statistics.of_median)}};
}

app::Json to_json(const app::Repetition& repetition) {
  app::Json json = {{"seed", repetition.options.seed},     {"requested", repetition.options.runs},
                    {"partial", repetition.is_partial()},  {"confidence", app::interval_confidence},
                    {"disturbed", repetition.disturbed()}, {"simulated_seconds", nullptr},
                    {"runs", app::Json::array()},          {"notes", app::Json::array()}};
  for (const app::RepeatedRun& run : repetition.runs)
    json["runs"].push_back({{"seed", run.seed},
                            {"simulated_seconds", run.simulated_seconds},
                            {"attempts", run.attempts},
                            {"disturbed", run.disturbance.has_value()}});
  if (!repetition.runs.empty()) {
    const app::TimeStatistics statistics = app::statistics_of(seconds_in(repetition));
    json["simulated_seconds"] = to_json(statistics);
    json["notes"] = app::Json(notes_of(repetition, statistics));
  }
  if (repetition.failure)
    json["failure"] = {{"run", repetition.failure->run + 1},
                       {"seed", repetition.failure->seed},
                       {"exit_status", repetition.failure->exit_status}};
  return json;
}

}  // namespace rehearse::cli
