// SPDX-License-Identifier: MIT
//
// rehearse usage: who used which hosts and links of a platform in a run, or the difference between two runs.
#include <algorithm>
#include <iostream>
#include <map>
#include <vector>

#include "app/cli/message.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/usage_page.hpp"
#include "app/cli/report/usage_text.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"

namespace rehearse::cli {

int run_usage(const Arguments& arguments) {
  std::string first, second, page;
  bool is_quiet = false;
  Options parser("usage", "[options] FIRST [SECOND]",
                 "Reports who used which hosts and links of a platform in a run, by category, with sums for each\n"
                 "zone. Of two runs, also the differences. The files are those of --usage FILE.json.",
                 "rehearse usage before.json after.json --report compared.html");
  OptionSet& app = parser.app();
  app.add_option("FIRST", first, "file of --usage FILE.json")->required();
  app.add_option("SECOND", second, "another one, to compare");
  app.add_option("--report", page, "file to write a page for browsers to, with both runs")
      ->check(Rule(
          [](std::string& name) {
            return name.size() > 5 && name.ends_with(".html") ? std::string()
                                                              : "'" + name + "' given; accepted: FILE.html";
          },
          "FILE"));
  app.add_flag("--quiet", is_quiet, "print no text");
  if (const auto status = parser.parse(arguments)) return *status;
  std::vector<app::Usage> usages;
  for (const std::string& file : {first, second}) {
    if (file.empty()) continue;
    auto read = app::read_usage(file);
    if (!read) return report_error({"usage: " + read.error().text});
    usages.push_back(std::move(read.value()));
  }
  if (!is_quiet)
    std::cout << (usages.size() == 1 ? text_of(usages[0].map) : text_of_difference(usages[0].map, usages[1].map));
  if (page.empty()) return app::exit_good;
  if (const auto written = write_file(page, [&](std::ostream& out) { write_usage_page(out, usages); }); !written)
    return report_error({"usage: --report: " + written.error().text});
  return app::exit_good;
}

}  // namespace rehearse::cli
