// SPDX-License-Identifier: MIT
//
// See timed_report.hpp.
#include "app/cli/report/timed_report.hpp"

#include <algorithm>
#include <iostream>

#include "app/cli/report/energy_report.hpp"
#include "app/cli/report/quantity.hpp"
#include "app/cli/report/reported_once.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/run_warning.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {

app::Json timed_report(const app::Machine& machine, const app::TimedRun& run, double wall_seconds) {
  app::Json json = {{"simulated_seconds", run.result.end.seconds()},
                    {"wall_seconds", wall_seconds},
                    {"platform", machine.platform.name()},
                    {"network_model", app::to_json(machine.description)},
                    {"ranks", app::Json::array()},
                    {"findings", app::Json::array()}};
  for (std::uint32_t rank = 0; rank < run.result.actors.size(); ++rank) {
    const ActorResult& actor = run.result.actors[rank];
    const ActorOutcome& outcome = run.result.outcome.actors[rank];
    const bool ended = outcome.state == ActorOutcome::State::ended;
    json["ranks"].push_back({{"rank", rank},
                             {"host", machine.platform.host(actor.host).name},
                             {"exit", ended ? app::Json(outcome.exit_status) : app::Json(nullptr)},
                             {"compute_seconds", actor.compute_seconds},
                             {"mpi_seconds", actor.communication_seconds},
                             {"messages", actor.messages},
                             {"bytes", actor.bytes},
                             {"unexpected", actor.unexpected},
                             {"stopped_picoseconds", actor.stopped.picoseconds}});
  }
  for (const Finding& finding : run.findings) json["findings"].push_back(app::to_json(finding));
  json["warnings"] = app::to_json(app::warnings_of(machine, run));
  if (run.result.was_interrupted) json["interrupted"] = true;
  if (run.result.was_cut) json["cut"] = true;
  if (run.data().is_needed()) json["data"] = run.data().words();
  if (run.energy) json["energy"] = app::to_json(*run.energy, machine.platform);
  if (run.packets) json["network"] = app::to_json(*run.packets, notes_of(run, machine.platform));
  return json;
}

int exit_status_of(const std::vector<Finding>& findings, const std::vector<std::string>& unsupported) {
  if (std::ranges::find(findings, Severity::error, &Finding::severity) != findings.end()) return app::exit_violation;
  return unsupported.empty() ? app::exit_good : app::exit_inconclusive;
}

int exit_status_of(const app::TimedRun& run) { return exit_status_of(run.findings, run.unsupported); }

std::string findings_text(const app::TimedRun& run, const std::string& program, bool verbose) {
  std::string text;
  if (run.data().is_needed() && exit_status_of(run) != app::exit_good)
    text = "rehearse: data: " + run.data().words() + ": " + run.data().reason() +
           ", so a finding about results of the program means nothing\n";
  return text + findings_text(run.findings, run.unsupported, program, verbose);
}

std::string findings_text(const std::vector<Finding>& findings, const std::vector<std::string>& unsupported,
                          const std::string& program, bool verbose) {
  std::string text;
  for (const ReportedOnce& once : reported_once(findings)) {
    const Finding& finding = *once.finding;
    const bool is_error = finding.severity == Severity::error;
    if (!is_error && !verbose) continue;
    text += std::string(is_error ? "violation" : app::name_of(finding.severity)) + ": " + app::describe(finding);
    if (!once.others.empty()) text += " " + once.likewise() + '\n';
  }
  for (const std::string& reason : unsupported)
    text += "inconclusive: " + reason + app::advice_on({reason}, program) + '\n';
  return text;
}

void print_findings(const std::vector<Finding>& findings, const std::vector<std::string>& unsupported,
                    const std::string& program, bool verbose) {
  std::cerr << findings_text(findings, unsupported, program, verbose);
}

void print_findings(const app::TimedRun& run, const std::string& program, bool verbose) {
  std::cerr << findings_text(run, program, verbose);
}

HtmlReport timed_page(const std::string& verb, const Subject& subject, const app::TimedRun& run,
                      const std::string& computation) {
  HtmlReport page;
  page.verb = verb;
  page.program = subject.program;
  const int status = exit_status_of(run);
  page.verdict = status == app::exit_good ? "completed" : status == app::exit_violation ? "violation" : "inconclusive";
  if (status == app::exit_violation) page.headline = "The program has faults: see the findings.";
  else if (run.result.was_cut) page.headline = "Cut after " + app::in_seconds(run.result.end) + " of simulated time.";
  else if (status == app::exit_good)
    page.headline = "The run ends without a finding, after " + app::in_seconds(run.result.end) + " of simulated time.";
  else if (run.result.was_interrupted) page.headline = "The run was " + app::list_of(run.unsupported) + ".";
  else
    page.headline = "The program needs calls or features that Rehearse does not support: " +
                    app::list_of(run.unsupported);
  page.facts = {{"ranks", app::with_commas(run.result.actors.size())},
                {"platform",
                 subject.platform.name() + " (" + app::counted(subject.platform.hosts().size(), "host") + ")"},
                {"network", subject.network},
                {"computation", computation},
                {"simulated time", app::in_seconds(run.result.end)}};
  if (run.data().is_needed()) page.facts.push_back({"data", run.data().words()});
  for (const std::string& note : notes_of(run, subject.platform)) page.facts.push_back({"note", note});
  if (run.energy) {
    page.facts.push_back({"energy", as_energy(run.energy->joules())});
    page.tables = tables_of(*run.energy, subject.platform);
  }
  for (const Finding& finding : run.findings) page.findings.push_back({finding, {}, ""});
  return page;
}

std::vector<std::string> notes_of(const app::TimedRun& run, const Platform& platform) {
  if (!run.packets) return {};
  return app::notes_of(*run.packets, run.statistics ? &*run.statistics : nullptr, platform, run.result.end.seconds());
}

std::vector<std::string> notes_of(const app::Machine& machine, const app::TimedRun& run) {
  std::vector<std::string> notes = notes_of(run, machine.platform);
  for (app::RunWarning& warning : app::warnings_of(machine, run))
    if (warning.id != "network.uncalibrated") notes.push_back(std::move(warning.text));  // the summary says so
  return notes;
}

std::vector<std::string> repeated_notes_of(const app::Machine& machine, const app::TimedRun& run) {
  std::vector<std::string> notes;
  for (const std::string& note : notes_of(run, machine.platform)) notes.push_back("first run: " + note);
  for (app::RunWarning& warning : app::warnings_of(machine, run))
    if (warning.id == "hosts.shared") notes.push_back(std::move(warning.text));
  return notes;
}

std::string data_note(const app::TimedRun& run) {
  return run.data().is_needed() ? ", data: " + run.data().words() : std::string();
}

std::string words_of(const app::Machine& machine) {
  return machine.platform.name() + " (" + app::counted(machine.platform.hosts().size(), "host") + ", network " +
         machine.network +
         (machine.network == library_network && !machine.description.calibrated ? " uncalibrated" : "");
}

std::string summary_of(const app::Machine& machine, const app::TimedRun& run) {
  const char* took = run.result.was_cut ? " after " : " took ";
  return app::counted(run.result.actors.size(), "rank") + took + app::in_seconds(run.result.end) + " on " +
         words_of(machine);
}

}  // namespace rehearse::cli
