// SPDX-License-Identifier: MIT
//
// rehearse trace check: faults that a trace shows without a platform.
#include "app/trace_check.hpp"

#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/timed_report.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "app/policies.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

const char* verdict_of(int status) {
  if (status == app::exit_good) return "no faults";
  return status == app::exit_violation ? "violation" : "inconclusive";
}

app::Json trace_check_report(const app::TraceCheck& check, int status) {
  app::Json json = {{"verdict", verdict_of(status)},
                    {"format", check.format},
                    {"ranks", check.ranks},
                    {"actions", check.actions},
                    {"policies", app::names_of(app::trace_check_policies())},
                    {"findings", app::Json::array()},
                    {"unsupported", check.unsupported}};
  for (const Finding& finding : check.findings) json["findings"].push_back(app::to_json(finding));
  return json;
}

}  // namespace

int run_trace_check(const Arguments& arguments) {
  app::TraceCheckRequest request;
  std::string json;
  bool quiet = false, verbose = false;
  Options parser("trace check", "[options] TRACE",
                 "Looks for faults in a trace, without a platform: messages without receives, members that call\n"
                 "different collectives, messages that are longer than their receives, operations that are never\n"
                 "completed, and deadlocks, also of sends that wait for their receives. Messages match in one order;\n"
                 "other orders are not tried. The exit status is 1 if there is a fault.",
                 "rehearse trace check lu.ti");
  parser.app()
      .add_option("TRACE", request.file,
                  "trace: a recording, time-independent text of all ranks, or an index that names a file for each rank")
      ->required();
  parser.app().add_option("--json", json, "file to write a report to, as JSON (-: standard output)");
  parser.app().add_flag("--quiet", quiet, "print nothing; only set the exit status, and write the file");
  parser.app().add_flag("--verbose", verbose, "also print warnings");
  if (const auto status = parser.parse(arguments)) return *status;
  const auto done = app::check_trace(request);
  if (!done) return report_error(done.error());
  const app::TraceCheck& check = done.value();
  const int status = exit_status_of(check.findings, check.unsupported);
  if (!quiet) print_findings(check.findings, check.unsupported, request.file, verbose);
  if (!json.empty()) {
    const Result<void> written = write_json(json, trace_check_report(check, status));
    if (!written) return report_error({"trace check: --json: " + written.error().text});
  }
  if (!quiet && json != "-" && status == app::exit_good)
    std::cerr << fmt::format("rehearse: no faults in {} of {} (buffering {})\n", app::counted(check.actions, "action"),
                             app::counted(check.ranks, "rank"),
                             app::list_of(app::names_of(app::trace_check_policies())));
  return status;
}

}  // namespace rehearse::cli
