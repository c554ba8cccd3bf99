// SPDX-License-Identifier: MIT
//
// rehearse skeleton: the skeleton of a program from its traces.
#include <filesystem>
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/output_file.hpp"
#include "app/skeleton_inference.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

std::string list_of(const std::vector<std::uint32_t>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    text += (i == 0 ? "" : i + 1 < ranks.size() ? ", " : " and ") + std::to_string(ranks[i]);
  return text;
}

void print_summary(const app::InferredSkeletonFile& made) {
  std::vector<std::uint32_t> ranks = made.ranks;
  std::cerr << "rehearse: ";
  if (made.predicted > 0) ranks.pop_back();
  std::cerr << "the skeleton of the runs with " << list_of(ranks) << " ranks has " << made.clusters
            << (made.clusters == 1 ? " class" : " classes") << " of ranks and " << app::counted(made.markers, "marker")
            << "; it makes all " << made.calls - made.predicted << " calls";
  if (made.predicted > 0)
    std::cerr << ", and the " << made.predicted << " calls of the run with " << made.ranks.back()
              << " ranks, which was held back";
  std::cerr << '\n';
}

}  // namespace

int run_skeleton(const Arguments& arguments) {
  app::SkeletonRequest request;
  std::string output;
  bool is_quiet = false, uses_all = false;
  Options parser(
      "skeleton", "[options] TRACE TRACE [TRACE...] -o FILE",
      "Makes a skeleton of a program from its traces with two or more numbers of ranks: loops, branches and calls,\n"
      "whose peers, sizes and counts are expressions of the rank and the number of ranks. With three or more traces\n"
      "the largest is held back, and the skeleton must predict its calls. If no skeleton makes every recorded call,\n"
      "the calls that have no expression are named, and nothing is written: exit status 3.",
      "rehearse skeleton lu4.rtrace lu8.rtrace lu16.rtrace -o lu.skeleton.json");
  OptionSet& app = parser.app();
  app.add_option("TRACE", request.traces, "traces of calls of one program, with different numbers of ranks")
      ->required();
  app.add_option("-o,--output", output, "file to write the skeleton to (-: standard output)")->required();
  app.add_option("--profile", request.profile,
                 "profile of rehearse profile: computations get the distributions of the markers with the same names");
  app.add_option("--name", request.name, "name of the skeleton (default: that of the output file)");
  app.add_flag("--use-all", uses_all, "hold no trace back: the skeleton is made of all of them");
  app.add_flag("--quiet", is_quiet, "print no summary");
  if (const auto status = parser.parse(arguments)) return *status;
  request.holds_back = !uses_all;
  if (request.name.empty() && output != "-") {
    request.name = std::filesystem::path(output).filename().string();
    request.name = request.name.substr(0, request.name.find('.'));
  }
  const auto made = app::infer_skeleton(request);
  if (!made) return report_error(made.error());
  if (made.value().skeleton.is_null()) {
    for (const std::string& problem : made.value().problems) std::cerr << "inconclusive: " << problem << '\n';
    for (const std::string& note : made.value().notes) std::cerr << "rehearse: note: " << note << '\n';
    return app::exit_inconclusive;
  }
  const std::string text = made.value().text;
  if (output == "-") {
    std::cout << text;
  } else if (const auto written = app::write_file(output, [&](std::ostream& out) { out << text; }); !written) {
    return report_error({"-o: " + written.error().text});
  }
  if (is_quiet) return app::exit_good;
  print_summary(made.value());
  for (const std::string& note : made.value().notes) std::cerr << "rehearse: note: " << note << '\n';
  return app::exit_good;
}

}  // namespace rehearse::cli
