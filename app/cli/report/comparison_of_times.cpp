// SPDX-License-Identifier: MIT
//
// The comparison of two reports as text and JSON.
#include <cmath>

#include "app/cli/report/repetition_report.hpp"
#include "app/cli/report/text_table.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

std::vector<std::string> row_of(const app::ReportedTimes& reported, const app::TimeStatistics& statistics) {
  const auto& interval = statistics.of_mean;
  return {reported.file,
          app::with_commas(statistics.runs),
          fmt::format("{:.9f} s", statistics.mean),
          interval ? fmt::format("{:.9f} s to {:.9f} s", interval->low, interval->high) : "-",
          fmt::format("{:.9f} s", statistics.median),
          fmt::format("{:.9f} s", statistics.deviation)};
}

std::string p_text(const app::ChanceProbability& chance) {
  return chance.p < 0.0001 ? std::string("p < 0.0001") : fmt::format("p = {:.4f}", chance.p);
}

std::string range_text(const app::TimeComparison& comparison) {
  if (!comparison.of_ratio) return "";
  return fmt::format(" (95 % interval {:.4f} to {:.4f})", comparison.of_ratio->low, comparison.of_ratio->high);
}

// The ratio names the second file.
std::string ratio_text(const app::TimeComparison& comparison, const std::string& first, const std::string& second) {
  if (!std::isfinite(comparison.ratio)) return fmt::format("{} takes no time", first);
  return fmt::format("the mean of {} is {:.4f} of that of {}{}", second, comparison.ratio, first,
                     range_text(comparison));
}

std::string verdict_text(const app::TimeComparison& comparison, const std::string& first, const std::string& second) {
  const std::string ratio = ratio_text(comparison, first, second);
  switch (comparison.verdict) {
    case app::TimeVerdict::first_faster: return fmt::format("{} is faster: {}", first, ratio);
    case app::TimeVerdict::second_faster: return fmt::format("{} is faster: {}", second, ratio);
    case app::TimeVerdict::no_difference: return "no difference found: " + ratio;
    case app::TimeVerdict::equal: return "no difference: all runs take the same time";
    case app::TimeVerdict::untested: break;
  }
  return "not tested: " + ratio;
}

const char* word_of(app::TimeVerdict verdict) {
  switch (verdict) {
    case app::TimeVerdict::first_faster: return "first faster";
    case app::TimeVerdict::second_faster: return "second faster";
    case app::TimeVerdict::no_difference: return "no difference found";
    case app::TimeVerdict::equal: return "equal";
    case app::TimeVerdict::untested: break;
  }
  return "not tested";
}

std::string test_text(const app::TimeComparison& comparison) {
  const app::ChanceProbability& chance = *comparison.by_chance;
  const bool is_paired = comparison.pairs > 0;
  return fmt::format("{}: permutation test of the means, {}, {}: {}",
                     is_paired ? fmt::format("{} with the same seeds", app::counted(comparison.pairs, "pair"))
                               : fmt::format("{} and {}, not paired", app::counted(comparison.first.runs, "run"),
                                             app::counted(comparison.second.runs, "run")),
                     is_paired ? "of signs" : "of groups", chance.is_exact ? "exact" : "100,000 draws", p_text(chance));
}

void add_caveats(const app::ReportedTimes& reported, std::vector<std::string>& notes) {
  const std::uint64_t runs = reported.times.seconds.size();
  if (runs < reported.requested)
    notes.push_back(
        fmt::format("{}: the repetition ended early, after {} of {} runs", reported.file, runs, reported.requested));
  if (reported.disturbed > 0)
    notes.push_back(fmt::format("{}: {} of {} measured disturbed computation", reported.file, reported.disturbed,
                                app::counted(runs, "run")));
}

std::vector<std::string> notes_of(const app::TimeComparison& comparison, const app::ReportedTimes& first,
                                  const app::ReportedTimes& second) {
  std::vector<std::string> notes;
  add_caveats(first, notes);
  add_caveats(second, notes);
  if (first.ranks != second.ranks)
    notes.push_back(
        fmt::format("{} has {}, and {} {}", first.file, app::counted(first.ranks, "rank"), second.file, second.ranks));
  const std::uint64_t unused = first.times.seconds.size() + second.times.seconds.size() - comparison.first.runs -
                               comparison.second.runs;
  if (unused > 0) notes.push_back(fmt::format("{} without a pair do not count", app::counted(unused, "run")));
  if (comparison.verdict == app::TimeVerdict::untested)
    notes.push_back("a single run says nothing about chance: repeat both (--repeat)");
  if (comparison.by_chance && comparison.by_chance->least >= app::error_tolerated)
    notes.push_back(
        fmt::format("so few runs cannot show a difference: the smallest possible p is {:.2g}, and below {:.2g} "
                    "counts as a difference",
                    comparison.by_chance->least, app::error_tolerated));
  return notes;
}

app::Json file_json(const app::ReportedTimes& reported, const app::TimeStatistics& statistics) {
  app::Json json = {{"file", reported.file},
                    {"platform", reported.platform},
                    {"network", reported.network},
                    {"ranks", reported.ranks},
                    {"runs", statistics.runs}};
  json["simulated_seconds"] = to_json(statistics);
  return json;
}

}  // namespace

std::string text_of(const app::TimeComparison& comparison, const app::ReportedTimes& first,
                    const app::ReportedTimes& second) {
  TextTable table;
  table.add({"report", "runs", "mean", "95 % interval of the mean", "median", "standard deviation"});
  table.add(row_of(first, comparison.first));
  table.add(row_of(second, comparison.second));
  std::string text = table.text() + verdict_text(comparison, first.file, second.file) + '\n';
  if (comparison.by_chance) {
    text += test_text(comparison) + '\n';
    text += fmt::format("{} is faster in {:.3g} % of {}\n", second.file, 100 * comparison.second_faster_part,
                        comparison.pairs > 0 ? "the pairs" : "all pairs of a run of each");
  } else if (comparison.verdict != app::TimeVerdict::untested && comparison.verdict != app::TimeVerdict::equal) {
    text += "the runs of each report take the same time: the difference is no chance\n";
  }
  for (const std::string& note : notes_of(comparison, first, second)) text += "note: " + note + '\n';
  return text;
}

app::Json to_json(const app::TimeComparison& comparison, const app::ReportedTimes& first,
                  const app::ReportedTimes& second) {
  app::Json json = {{"verdict", word_of(comparison.verdict)},
                    {"ratio", std::isfinite(comparison.ratio) ? app::Json(comparison.ratio) : app::Json(nullptr)},
                    {"ratio_interval", nullptr},
                    {"confidence", app::interval_confidence},
                    {"pairs", comparison.pairs},
                    {"p", nullptr},
                    {"p_exact", nullptr},
                    {"second_faster_part", comparison.second_faster_part}};
  if (comparison.of_ratio)
    json["ratio_interval"] = {{"low", comparison.of_ratio->low}, {"high", comparison.of_ratio->high}};
  if (comparison.by_chance) {
    json["p"] = comparison.by_chance->p;
    json["p_exact"] = comparison.by_chance->is_exact;
  }
  json["files"] = app::Json::array();
  json["files"].push_back(file_json(first, comparison.first));
  json["files"].push_back(file_json(second, comparison.second));
  json["notes"] = app::Json(notes_of(comparison, first, second));
  return json;
}

}  // namespace rehearse::cli
