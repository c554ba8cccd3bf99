// SPDX-License-Identifier: MIT
//
// The common parts of reports of timed runs, of programs and of traces.
#pragma once

#include <string>
#include <vector>

#include "app/cli/recording/picture_options.hpp"
#include "app/cli/report/html_report.hpp"
#include "app/json.hpp"
#include "app/machine.hpp"
#include "app/timed_run.hpp"

namespace rehearse::cli {

// Time, platform, ranks and findings.
app::Json timed_report(const app::Machine& machine, const app::TimedRun& run, double wall_seconds);

int exit_status_of(const std::vector<Finding>& findings, const std::vector<std::string>& unsupported);
int exit_status_of(const app::TimedRun& run);

// Lines about findings and unsupported features, for standard error. `verbose`: also warnings and notes. `program`: its
// path, for advice.
std::string findings_text(const std::vector<Finding>& findings, const std::vector<std::string>& unsupported,
                          const std::string& program, bool verbose);
std::string findings_text(const app::TimedRun& run, const std::string& program, bool verbose);
// Prints them.
void print_findings(const std::vector<Finding>& findings, const std::vector<std::string>& unsupported,
                    const std::string& program, bool verbose);
void print_findings(const app::TimedRun& run, const std::string& program, bool verbose);

// The page of a run, without pictures. `verb`: run or trace replay; `computation`: its cost in a word
// (ComputeOptions::what).
HtmlReport timed_page(const std::string& verb, const Subject& subject, const app::TimedRun& run,
                      const std::string& computation);

// Of a network of packets (app/statistics.hpp); otherwise empty.
std::vector<std::string> notes_of(const app::TimedRun& run, const Platform& platform);
// The same, and warnings about conclusions, except those that summary_of() contains.
std::vector<std::string> notes_of(const app::Machine& machine, const app::TimedRun& run);

// Of a repetition: those of its first run, without one on the disturbance, which concerns all runs.
std::vector<std::string> repeated_notes_of(const app::Machine& machine, const app::TimedRun& run);

// "cluster:16 (16 hosts, network lv08".
std::string words_of(const app::Machine& machine);
// "16 ranks took 1.5 s on cluster:16 (16 hosts, network lv08".
std::string summary_of(const app::Machine& machine, const app::TimedRun& run);
// ", data: folded", with the words of the mark (app/data_mark.hpp); without a mark, empty.
std::string data_note(const app::TimedRun& run);

}  // namespace rehearse::cli
