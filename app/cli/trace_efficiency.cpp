// SPDX-License-Identifier: MIT
//
// rehearse trace efficiency: where the time of a recorded execution is lost.
#include <limits>

#include "app/cli/log_gops_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/report/analysis_output.hpp"
#include "app/cli/report/efficiency_report.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/trace_options.hpp"
#include "app/cli/verb_options.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t most_ranks_printed = 16;

struct EfficiencyOptions {
  app::EfficiencyRequest request;
  app::LogGopsRequest log_gops;
  AnalysisOptions output;
};

void declare(OptionSet& app, EfficiencyOptions& options) {
  options.request.replay.verb = "trace efficiency";
  declare_trace(app, options.request.replay.file, true);
  app.add_option("--reference", options.request.reference,
                 "trace of the same program with fewer ranks: also print how the computation scales");
  app.add_option_function(
         "--scaling",
         [&scaling = options.request.scaling](const std::string& word) {
           scaling = word == "weak" ? app::Scaling::weak : app::Scaling::strong;
           return std::string();
         },
         "with --reference: strong (the same problem, default) or weak (a problem that grows with the ranks)")
      ->check(one_of({"strong", "weak"}));
  app.add_flag("--ladder", options.request.has_ladder,
               "also replay without latency, with infinite bandwidth, without contention, without overheads, and with "
               "equal computation on all ranks");
  app.add_option("--windows", options.request.windows,
                 "also divide the run into so many equal parts, and print the metrics of each")
      ->check(whole_number(1, 100'000));
  declare(app, options.output);
  declare_replay(app, options.request.replay);
  declare(app, options.log_gops);
}

int put_out_in_log_gops(const EfficiencyOptions& options) {
  const auto done = app::measure_efficiency(options.log_gops, options.request);
  if (!done) return report_error(done.error());
  const app::LogGopsEfficiency& efficiency = done.value();
  LogGopsAnalysis analysis{"trace efficiency", options.log_gops, efficiency.replay, {}, {}};
  if (efficiency.is_complete()) {
    analysis.json = to_json(efficiency);
    analysis.printed = tables_of(efficiency, most_ranks_printed, {});
  }
  return put_out(analysis, options.output);
}

}  // namespace

int run_trace_efficiency(const Arguments& arguments) {
  EfficiencyOptions options;
  Options parser("trace efficiency", "[options] TRACE",
                 "Replays a trace on a platform and on an ideal network, and prints where the time is lost: load\n"
                 "balance, serialisation and transfer, whose product is the parallel efficiency.",
                 "rehearse trace efficiency --on cluster:16 lu.rtrace");
  declare(parser.app(), options);
  if (const auto status = parser.parse(arguments)) return *status;
  if (parser.app().count("--scaling") > 0 && options.request.reference.empty())
    return report_error({"trace efficiency: --scaling needs --reference"});
  const auto kind = choose_replay(options.request.replay, options.log_gops, parser.app());
  if (!kind) return report_error({"trace efficiency: " + kind.error().text});
  if (kind.value() == ReplayKind::log_gops) return put_out_in_log_gops(options);
  if (!options.output.report.empty()) options.request.replay.recorded = app::Recorded::calls_and_resources;
  const auto done = app::measure_efficiency(options.request);
  if (!done) return report_error(done.error());
  const app::TraceEfficiency& efficiency = done.value();
  Analysis analysis{"trace efficiency", options.request.replay.file, efficiency.replay, {}, {}, {}, efficiency.caveats};
  if (efficiency.is_complete()) {
    analysis.json = to_json(efficiency);
    analysis.printed = tables_of(efficiency, most_ranks_printed, hosts_of(efficiency.replay));
    analysis.shown = tables_of(efficiency, std::numeric_limits<std::size_t>::max(), hosts_of(efficiency.replay));
  }
  return put_out(analysis, options.output);
}

}  // namespace rehearse::cli
