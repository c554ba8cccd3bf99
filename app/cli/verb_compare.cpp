// SPDX-License-Identifier: MIT
//
// rehearse compare: which of two reports of repeated runs is faster, by how much, and whether chance explains it.
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/repetition_report.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/reported_times.hpp"
#include "app/time_comparison.hpp"

namespace rehearse::cli {

int run_compare(const Arguments& arguments) {
  std::string first, second, json;
  bool is_quiet = false;
  Options parser("compare", "[options] FIRST SECOND",
                 "Compares the simulated times in two reports of rehearse run or rehearse trace replay (--json), made\n"
                 "with --repeat: which is faster, by how much, and how probable such a difference is by chance.",
                 "rehearse compare slow.json fast.json");
  OptionSet& app = parser.app();
  app.add_option("FIRST", first, "report")->required();
  app.add_option("SECOND", second, "report; runs of both with the same seed are a pair")->required();
  app.add_option("--json", json, "file to write a report to, as JSON (-: standard output)");
  app.add_flag("--quiet", is_quiet, "print no text");
  if (const auto status = parser.parse(arguments)) return *status;
  const auto of_first = app::read_reported_times(first);
  if (!of_first) return report_error({"compare: " + of_first.error().text});
  const auto of_second = app::read_reported_times(second);
  if (!of_second) return report_error({"compare: " + of_second.error().text});
  const app::TimeComparison comparison = app::compare_times(of_first.value().times, of_second.value().times);
  if (!is_quiet && json != "-") std::cout << text_of(comparison, of_first.value(), of_second.value());
  if (!json.empty())
    if (const auto written = write_json(json, to_json(comparison, of_first.value(), of_second.value())); !written)
      return report_error({"compare: --json: " + written.error().text});
  return app::exit_good;
}

}  // namespace rehearse::cli
