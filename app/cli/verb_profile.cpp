// SPDX-License-Identifier: MIT
//
// rehearse profile: the times of a program's computations, as the many-node method needs them.
#include <array>
#include <charconv>
#include <iostream>

#include "app/cli/command_group.hpp"
#include "app/cli/message.hpp"
#include "app/cli/profile_commands.hpp"
#include "app/cli/report/manynode_report.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/manynode_profile.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::array profile_commands = {
    Verb{"record", "run a program and write the times of its computations", run_profile_record},
    Verb{"analyse", "make a profile of measured times: clusters of ranks, distributions, orders", run_profile_analyse},
};

struct AnalyseOptions {
  app::ProfileRequest request;
  std::vector<std::string> at, runs, nodes;
  std::string output, report, json;
  std::uint32_t rows = 20;
  bool is_quiet = false;
};

void declare(OptionSet& app, AnalyseOptions& options) {
  app.add_option("SAMPLES", options.request.samples,
                 "files with samples of one run: CSV (rank,marker,iteration,seconds, and any counters), folders of "
                 "them, or a recording (rehearse trace record, also with --real)");
  app.add_option("--counters", options.request.counters,
                 "CSV file with counters by rank (rank,instructions,...), by which ranks are clustered (default: those "
                 "of the samples)");
  app.add_option("--similar", options.request.options.similar,
                 "ranks of a cluster differ by at most this part of the mean, in every counter (default 0.1)")
      ->check(positive_number());
  app.add_option("--scaling", options.request.scaling,
                 "CSV file with a quantity at several numbers of ranks (ranks,rank,value), for a law of scaling");
  app.add_option("--run", options.runs,
                 "P=FILE: samples of the same program on P ranks, for laws of scaling of its markers; can be repeated")
      ->allow_extra_args(false);
  app.add_option("--node", options.nodes,
                 "K=FILE: samples with K ranks of each node, for the memory bandwidth that they share; can be repeated")
      ->allow_extra_args(false);
  app.add_option("--at", options.at, "numbers of ranks at which laws of scaling are evaluated, separated by commas")
      ->delimiter(',');
  app.add_option("--source", options.request.source,
                 "origin of the samples, as a word in the profile (default measured)");
  app.add_option("--seed", options.request.options.seed, "seed of the errors of tails (default 1)")
      ->check(whole_number(0, ~std::uint64_t{0}));
  app.add_option("-o,--output", options.output, "file to write the profile to, for rehearse sweep");
  app.add_option("--report", options.report, "file to write a page for browsers to");
  app.add_option("--json", options.json, "file to write the profile to, as JSON (-: standard output)");
  app.add_option("--rows", options.rows, "largest number of printed markers (default 20)")
      ->check(whole_number(1, 1'000'000));
  app.add_flag("--quiet", options.is_quiet, "print no text");
}

// `text` is NUMBER=FILE.
Result<app::SizedSamples> read_sized(const std::string& option, const std::string& text) {
  const std::size_t at = text.find('=');
  std::uint32_t size = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + std::min(at, text.size()), size);
  if (at == std::string::npos || fault != std::errc() || end != text.data() + at || size == 0 ||
      at + 1 == text.size()) {
    return Error{fmt::format("{}: '{}', expected NUMBER=FILE with a number from 1 on", option, text)};
  }
  return app::SizedSamples{size, text.substr(at + 1)};
}

Result<void> complete(AnalyseOptions& options) {
  app::ProfileRequest& request = options.request;
  if (request.samples.empty() && request.counters.empty() && request.scaling.empty()) {
    return Error{"nothing to analyse, expected SAMPLES, --counters or --scaling"};
  }
  if (request.samples.empty() && !(options.runs.empty() && options.nodes.empty())) {
    return Error{"--run and --node add to a profile of SAMPLES, and there are none"};
  }
  for (const std::string& each : options.at) {
    std::uint32_t ranks = 0;
    const auto [end, fault] = std::from_chars(each.data(), each.data() + each.size(), ranks);
    if (fault != std::errc() || end != each.data() + each.size() || ranks == 0) {
      return Error{fmt::format("--at: '{}', expected numbers of ranks from 1 on", each)};
    }
    request.at.push_back(ranks);
  }
  if (!request.at.empty() && request.scaling.empty() && options.runs.empty()) {
    return Error{"--at needs --scaling or --run"};
  }
  for (const auto& [option, texts, target] :
       {std::tuple{"--run", &options.runs, &request.runs}, std::tuple{"--node", &options.nodes, &request.dense}}) {
    for (const std::string& text : *texts) {
      auto sized = read_sized(option, text);
      if (!sized) return sized.error();
      target->push_back(std::move(sized.value()));
    }
  }
  return {};
}

Result<void> write_all(const AnalyseOptions& options, const app::ProfileAnalysis& analysis) {
  app::Json document = app::to_json(analysis.profile, options.request.at);
  for (const auto& [option, file] : {std::pair{"-o", &options.output}, std::pair{"--json", &options.json}}) {
    if (file->empty()) continue;
    if (const auto written = write_json(*file, document); !written) {
      return Error{fmt::format("{}: {}", option, written.error().text)};
    }
  }
  if (options.report.empty()) return {};
  std::string subject;
  for (const std::string& each : options.request.samples) subject += (subject.empty() ? "" : ", ") + each;
  document["subject"] = subject;
  const auto written = write_file(options.report, [&](std::ostream& out) { write_profile_page(out, document); });
  if (!written) return Error{"--report: " + written.error().text};
  return {};
}

}  // namespace

int run_profile_analyse(const Arguments& arguments) {
  AnalyseOptions options;
  Options parser("profile analyse", "[options] [SAMPLES...]",
                 "Makes a profile of measured times: which ranks do the same, how the times of each computation are\n"
                 "distributed, in which order their modes come, and what ranks or iterations have in common.",
                 "rehearse profile analyse cg.csv -o cg.profile.json --report cg.html");
  declare(parser.app(), options);
  if (const auto status = parser.parse(arguments)) return *status;
  if (const auto done = complete(options); !done) return report_error(of_verb("profile analyse", done.error()));
  const auto analysis = app::analyse_profile(options.request);
  if (!analysis) return report_error(of_verb("profile analyse", analysis.error()));
  if (const auto done = write_all(options, analysis.value()); !done) {
    return report_error(of_verb("profile analyse", done.error()));
  }
  if (!options.is_quiet && options.json != "-") std::cout << text_of(analysis.value().profile, options.rows);
  if (!options.is_quiet) {
    for (const std::string& each : analysis.value().profile.warnings) std::cerr << "warning: " << each << '\n';
  }
  return app::exit_good;
}

int run_profile(const Arguments& arguments) {
  return run_command_of({"profile", "rehearse profile record -n 8 -o cg.csv ./cg", profile_commands}, arguments);
}

}  // namespace rehearse::cli
