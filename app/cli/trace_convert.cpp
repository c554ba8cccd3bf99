// SPDX-License-Identifier: MIT
//
// rehearse trace convert: a trace in another format.
#include <iostream>

#include "app/cli/goal_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/trace_conversion.hpp"

namespace rehearse::cli {

int run_trace_convert(const Arguments& arguments) {
  app::TraceConversionRequest request;
  std::string algorithms;
  Options parser(
      "trace convert", "[options] --to FORMAT IN OUT",
      "Writes a trace in another format. For each kind of facts that the other format cannot express, a line on\n"
      "standard error has their number. A GOAL schedule becomes calls if each rank is a sequence of calls.",
      "rehearse trace convert --to goal --speed 1e9 lu.ti lu.goal");
  OptionSet& app = parser.app();
  app.add_option("IN", request.input, "trace: a recording, time-independent text, OTF2, or GOAL (text or binary)")
      ->required();
  app.add_option("OUT", request.output, "file to write")->required();
  app.add_option(
         "--to", request.to,
         "format of the output: goal (text), goal-binary, rtrace (recording), ti (time-independent text), c (MPI "
         "program)")
      ->required()
      ->check(one_of({"goal", "goal-binary", "rtrace", "ti", "c"}));
  declare(app, request.wildcards);
  declare(app, request.conversion);
  app.add_option("--collective-algorithms,--collectives", algorithms,
                 "algorithms of collectives: OPERATION=ALGORITHM,... (broadcast=linear, reduce=linear)");
  if (const auto status = parser.parse(arguments)) return *status;
  const bool to_goal = request.to == "goal" || request.to == "goal-binary";
  if (app.count("--collective-algorithms") > 0 && !to_goal)
    return report_error({"trace convert: --collective-algorithms applies to --to goal and goal-binary only"});
  if (app.count("--collective-algorithms") > 0)
    if (const auto set = set_algorithms(algorithms, request.conversion); !set)
      return report_error({"trace convert: " + set.error().text});
  const auto converted = app::convert_trace(request);
  if (!converted) return report_error(converted.error());
  if (!converted.value().unsupported.empty()) {
    std::cerr << "inconclusive: " << converted.value().unsupported << '\n';
    return app::exit_inconclusive;
  }
  for (const std::string& line : converted.value().losses.lines()) std::cerr << "rehearse: lost: " << line << '\n';
  return app::exit_good;
}

}  // namespace rehearse::cli
