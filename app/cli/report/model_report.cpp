// SPDX-License-Identifier: MIT
//
// See model_report.hpp.
#include "app/cli/report/model_report.hpp"

#include <utility>

#include "app/cli/report/text_table.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t most_rows_of_page = 500;
constexpr const char* question = "Do you need packets? ";

using DifferenceRows = std::vector<app::ModelDifference>;

std::vector<std::string> labels_of(const app::ModelComparison& comparison) {
  std::vector<std::string> labels;
  for (const app::ModelRun& run : comparison.runs)
    if (run.has_run()) labels.push_back(run.label);
  return labels;
}

// A cell for each model that ran.
template <class Text>
void add_values(const app::ModelComparison& comparison, const app::ModelDifference& difference, const Text& text,
                std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < comparison.runs.size(); ++i)
    if (comparison.runs[i].has_run()) cells.push_back(difference.values[i] < 0 ? "-" : text(difference.values[i]));
}

std::string seconds_cell(double seconds) { return fmt::format("{:.9f}", seconds); }
std::string use_cell(double part) { return fmt::format("{:.2f} %", 100 * part); }

// The header, with the models behind the first columns.
ReportTable empty_table(const std::string& title, std::vector<std::string> header,
                        const app::ModelComparison& comparison) {
  for (const std::string& label : labels_of(comparison)) header.push_back(label);
  return {title, std::move(header), {}, ""};
}

ReportTable table_of_models(const app::ModelComparison& comparison) {
  ReportTable table{"Models", {"model", "seconds", "of packets", "in calls", "lost", "again", "timeouts"}, {}, ""};
  const bool has_judge = comparison.judge != app::ModelComparison::no_run;
  for (const app::ModelRun& run : comparison.runs) {
    if (!run.has_run()) continue;
    std::vector<std::string> row = {
        run.label, seconds_cell(run.simulated_seconds), "-", seconds_cell(run.call_seconds), "-", "-", "-"};
    if (const double judged = has_judge ? comparison.runs[comparison.judge].simulated_seconds : 0; judged > 0)
      row[2] = fmt::format("{:.3f}", run.simulated_seconds / judged);
    if (run.has_packets) {
      std::uint64_t lost = 0;
      for (const app::ComparedLink& link : run.links) lost += link.drops + link.losses;
      row[4] = app::with_commas(lost);
      row[5] = app::with_commas(run.retransmissions);
      row[6] = app::with_commas(run.timeouts);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable table_of_calls(const app::ModelComparison& comparison) {
  ReportTable table = empty_table("Calls, seconds of all ranks", {"call", "place", "times", "differs"}, comparison);
  for (const app::ModelDifference& call : comparison.calls) {
    if (!(call.gap > 0)) continue;
    std::vector<std::string> row = {call.name, call.place.empty() ? "unknown" : call.place,
                                    app::with_commas(call.times), call.differs ? "yes" : "no"};
    add_values(comparison, call, seconds_cell, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable table_of_phases(const app::ModelComparison& comparison) {
  ReportTable table = empty_table("Phases, seconds", {"until", "times"}, comparison);
  for (const app::ModelDifference& phase : comparison.phases) {
    if (!(phase.gap > 0)) continue;
    std::vector<std::string> row = {phase.name, app::with_commas(phase.times)};
    add_values(comparison, phase, seconds_cell, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

const app::ComparedLink* find_link(const app::ModelComparison& comparison, const std::string& name) {
  if (comparison.judge == app::ModelComparison::no_run) return nullptr;
  for (const app::ComparedLink& link : comparison.runs[comparison.judge].links)
    if (link.name == name) return &link;
  return nullptr;
}

ReportTable table_of_links(const app::ModelComparison& comparison) {
  ReportTable table = empty_table("Links, part of the capacity in use",
                                  {"link", "drops", "losses", "pauses", "longest queue"}, comparison);
  for (const app::ModelDifference& link : comparison.links) {
    const app::ComparedLink* packets = find_link(comparison, link.name);
    std::vector<std::string> row = {link.name, "-", "-", "-", "-"};
    if (packets != nullptr)
      row = {link.name, app::with_commas(packets->drops), app::with_commas(packets->losses),
             app::with_commas(packets->pauses), app::with_commas(packets->longest_queue_bytes)};
    add_values(comparison, link, use_cell, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<ReportTable> comparison_tables(const app::ModelComparison& comparison, std::size_t most_rows) {
  std::vector<ReportTable> tables = {table_of_models(comparison), table_of_calls(comparison),
                                     table_of_phases(comparison), table_of_links(comparison)};
  for (ReportTable& table : tables) {
    if (&table == &tables.front() || table.rows.size() <= most_rows) continue;
    table.note = fmt::format("{} of {} rows", most_rows, table.rows.size());
    table.rows.resize(most_rows);
  }
  std::erase_if(tables, [](const ReportTable& table) { return table.rows.empty(); });
  return tables;
}

std::string place_of_run(const app::ModelComparison& comparison) {
  for (const app::ModelRun& run : comparison.runs)
    if (run.has_run()) return app::counted(run.ranks, "rank") + " on " + run.platform;
  return "";
}

app::Json to_json(const app::ModelComparison& comparison, const DifferenceRows& rows, const char* value_key) {
  app::Json json = app::Json::array();
  for (const app::ModelDifference& row : rows) {
    app::Json each = {{"name", row.name}};
    if (!row.place.empty()) each["place"] = row.place;
    if (&rows != &comparison.links) each["times"] = row.times;
    if (&rows == &comparison.calls) {
      each["collective"] = row.is_collective;
      each["differs"] = row.differs;
    }
    app::Json values = app::Json::object();
    for (std::size_t i = 0; i < comparison.runs.size(); ++i)
      if (row.values[i] >= 0) values[comparison.runs[i].label] = row.values[i];
    each[value_key] = std::move(values);
    json.push_back(std::move(each));
  }
  return json;
}

}  // namespace

std::string text_of(const app::ModelComparison& comparison, std::size_t most_rows) {
  std::string text;
  if (const std::string place = place_of_run(comparison); !place.empty()) text += place + "\n";
  for (const ReportTable& table : comparison_tables(comparison, most_rows)) {
    TextTable lines;
    lines.add(table.header);
    for (const std::vector<std::string>& row : table.rows) lines.add(row);
    text += (text.empty() ? "" : "\n") + table.title + "\n" + lines.text();
    if (!table.note.empty()) text += table.note + "\n";
  }
  if (!comparison.has_answer()) return text;
  text += "\n" + app::wrapped(question + comparison.answer, 100, "  ") + "\n";
  for (const std::string& cause : comparison.causes) text += app::wrapped("* " + cause, 100, "  ") + "\n";
  return text;
}

app::Json to_json(const app::ModelComparison& comparison) {
  app::Json json = {{"tolerance", comparison.tolerance}, {"runs", app::Json::array()}};
  for (const app::ModelRun& run : comparison.runs) json["runs"].push_back(app::to_json(run));
  json["calls"] = to_json(comparison, comparison.calls, "seconds");
  json["phases"] = to_json(comparison, comparison.phases, "seconds");
  json["links"] = to_json(comparison, comparison.links, "use");
  if (!comparison.has_answer()) return json;
  json["answer"] = {{"needs_packets", comparison.needs_packets},
                    {"judge", comparison.runs[comparison.judge].label},
                    {"nearest", comparison.runs[comparison.nearest].label},
                    {"text", comparison.answer},
                    {"causes", app::Json(comparison.causes)}};
  return json;
}

HtmlReport page_of(const app::ModelComparison& comparison, const std::string& verb, const std::string& program) {
  HtmlReport page;
  page.verb = verb;
  page.program = program;
  page.verdict = "completed";
  page.headline = comparison.has_answer() ? question + comparison.answer + "."
                                          : "There is no answer about packets: compare packet with another model.";
  if (const std::string place = place_of_run(comparison); !place.empty()) page.facts.emplace_back("run", place);
  for (const app::ModelRun& run : comparison.runs) {
    page.facts.emplace_back(run.label,
                            run.has_run() ? seconds_cell(run.simulated_seconds) + " s" : "no result: " + run.problem);
    if (!run.has_run()) page.verdict = "inconclusive";
  }
  for (const std::string& cause : comparison.causes) page.facts.emplace_back("cause", cause);
  page.tables = comparison_tables(comparison, most_rows_of_page);
  return page;
}

}  // namespace rehearse::cli
