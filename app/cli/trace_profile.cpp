// SPDX-License-Identifier: MIT
//
// rehearse trace profile: the time of a replayed trace by its use, and the critical path.
#include <array>
#include <limits>

#include "app/cli/log_gops_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/report/analysis_output.hpp"
#include "app/cli/report/log_gops_profile_report.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/report/profile_report.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/trace_options.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/trace_profile.hpp"
#include "app/trace_rates.hpp"

namespace rehearse::cli {
namespace {

constexpr std::array divisions = {"action", "site", "region", "rank", "peer", "size"};
constexpr std::size_t most_rows_shown = 500;  // of a table on the page

struct ProfileOptions {
  app::TraceReplayRequest request;
  app::LogGopsRequest log_gops;
  AnalysisOptions output;
  std::string by = "action";
  std::uint32_t rows = 20;
  std::string rates, times;  // files; empty: none
};

void declare(OptionSet& app, ProfileOptions& options) {
  options.request.verb = "trace profile";
  declare_trace(app, options.request.file, true);
  app.add_option(
         "--by", options.by,
         "rows of the table: action (default), site (place of the call, in recordings), region (function of the "
         "call), rank, peer (pair of ranks) or size (of messages). With --network loggops: rank (default), peer or "
         "size")
      ->check(one_of({divisions.begin(), divisions.end()}));
  app.add_option("--rows", options.rows, "largest number of printed rows (default 20)")
      ->check(whole_number(1, std::numeric_limits<std::uint32_t>::max()));
  app.add_option("--rates", options.rates,
                 "with --times: only write the rates of the trace's regions to this file, for --rate-file (-: standard "
                 "output)");
  app.add_option("--times", options.times,
                 "with --rates: recording of the same program with processor times, while TRACE has instructions");
  declare(app, options.output);
  declare_replay(app, options.request);
  declare(app, options.log_gops);
}

int put_out_in_log_gops(const ProfileOptions& options, bool has_division) {
  const std::string by = has_division ? options.by : "rank";
  if (by != "rank" && by != "peer" && by != "size")
    return report_error(
        {"trace profile: --by " + by + " does not apply to --network loggops; accepted: rank, peer, size"});
  const auto done = app::profile_log_gops(options.log_gops);
  if (!done) return report_error(done.error());
  const app::LogGopsProfile& profile = done.value();
  LogGopsAnalysis analysis{"trace profile", options.log_gops, profile.replay, {}, {}};
  if (profile.replay.has_ended()) {
    analysis.json = to_json(profile);
    analysis.printed = tables_of(profile, by, options.rows);
  }
  return put_out(analysis, options.output);
}

int write_rates(const ProfileOptions& options) {
  const auto rates = app::measure_rates(options.request, options.times);
  if (!rates) return report_error(rates.error());
  const auto written = write_text(options.rates, app::to_json(rates.value()).dump(2) + "\n");
  if (!written) return report_error({"trace profile: --rates: " + written.error().text});
  return app::exit_good;
}

}  // namespace

int run_trace_profile(const Arguments& arguments) {
  ProfileOptions options;
  Options parser("trace profile", "[options] TRACE",
                 "Replays a trace on a platform and prints how the ranks spend their time: in computation, in waiting\n"
                 "for others, on the network; and the part of each action in the critical path.",
                 "rehearse trace profile --on cluster:16 --by site lu.rtrace");
  declare(parser.app(), options);
  if (const auto status = parser.parse(arguments)) return *status;
  if (options.rates.empty() != options.times.empty())
    return report_error({"trace profile: --rates needs --times, and --times needs --rates"});
  const auto kind = choose_replay(options.request, options.log_gops, parser.app());
  if (!kind) return report_error({"trace profile: " + kind.error().text});
  if (!options.rates.empty() && kind.value() != ReplayKind::calls)
    return report_error({"trace profile: --rates does not apply to GOAL schedules"});
  if (!options.rates.empty()) return write_rates(options);
  if (kind.value() == ReplayKind::log_gops) return put_out_in_log_gops(options, parser.app().count("--by") > 0);
  if (!options.output.report.empty()) options.request.recorded = app::Recorded::calls_and_resources;
  const auto done = app::profile_trace(options.request);
  if (!done) return report_error(done.error());
  const app::TraceProfile& profile = done.value();
  Analysis analysis{"trace profile", options.request.file, profile.replay, {}, {}, {}, profile.caveats};
  if (profile.profile) {
    const app::TimeProfile& times = *profile.profile;
    analysis.json = to_json(times);
    analysis.printed = {table_of_uses(times), table_by(options.by, times, options.rows)};
    analysis.shown = {table_of_uses(times)};
    for (const char* division : divisions) analysis.shown.push_back(table_by(division, times, most_rows_shown));
  }
  return put_out(analysis, options.output);
}

}  // namespace rehearse::cli
