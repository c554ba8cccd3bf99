// SPDX-License-Identifier: MIT
//
// rehearse trace convert: a trace in another format.
#include <iostream>

#include "app/c_conversion.hpp"
#include "app/cli/goal_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"

namespace rehearse::cli {
namespace {

int convert_to_program(const app::TraceConversionRequest& request, const OptionSet& given) {
  for (const char* name : {"--speed", "--collective-algorithms"})
    if (given.count(name) > 0)
      return report_error({std::string("trace convert: ") + name + " does not apply to --to c"});
  const auto converted = app::convert_to_c(request.input, request.output);
  if (!converted) return report_error(converted.error());
  if (!converted.value().unsupported.empty()) {
    std::cerr << "inconclusive: " << converted.value().unsupported << '\n';
    return app::exit_inconclusive;
  }
  for (const std::string& line : converted.value().lost) std::cerr << "rehearse: lost: " << line << '\n';
  return app::exit_good;
}

}  // namespace

int run_trace_convert(const Arguments& arguments) {
  app::TraceConversionRequest request;
  std::string algorithms;
  Options parser(
      "trace convert", "[options] --to FORMAT IN OUT",
      "Writes a trace in another format. A trace of calls becomes a GOAL schedule, or an MPI program in C; a GOAL\n"
      "schedule becomes a trace of calls if each rank is a sequence of calls.",
      "rehearse trace convert --to goal --speed 1e9 lu.ti lu.goal");
  OptionSet& app = parser.app();
  app.add_option("IN", request.input, "trace: time-independent text, or GOAL (text or binary)")->required();
  app.add_option("OUT", request.output, "file to write")->required();
  app.add_option("--to", request.to,
                 "format of the output: goal (text), goal-binary, ti (time-independent text), c (an MPI program)")
      ->required()
      ->check(one_of({"goal", "goal-binary", "ti", "c"}));
  declare(app, request.conversion);
  app.add_option("--collective-algorithms,--collectives", algorithms,
                 "algorithms of collectives: OPERATION=ALGORITHM,... (broadcast=linear, reduce=linear)");
  if (const auto status = parser.parse(arguments)) return *status;
  if (app.count("--collective-algorithms") > 0)
    if (const auto set = set_algorithms(algorithms, request.conversion); !set)
      return report_error({"trace convert: " + set.error().text});
  if (request.to == "c") return convert_to_program(request, app);
  const auto converted = app::convert_trace(request);
  if (!converted) return report_error(converted.error());
  if (converted.value().empty()) return app::exit_good;
  std::cerr << "inconclusive: " << converted.value() << '\n';
  return app::exit_inconclusive;
}

}  // namespace rehearse::cli
