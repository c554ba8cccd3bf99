// SPDX-License-Identifier: MIT
//
// rehearse trace profile: the time of a replayed trace by its use, and the critical path.
#include <array>
#include <limits>

#include "app/cli/message.hpp"
#include "app/cli/report/analysis_output.hpp"
#include "app/cli/report/profile_report.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/trace_options.hpp"
#include "app/cli/verb_options.hpp"
#include "app/trace_profile.hpp"

namespace rehearse::cli {
namespace {

constexpr std::array divisions = {"action", "site", "region", "rank", "peer", "size"};
constexpr std::size_t most_rows_shown = 500;  // of a table on the page

struct ProfileOptions {
  app::TraceReplayRequest request;
  AnalysisOptions output;
  std::string by = "action";
  std::uint32_t rows = 20;
};

void declare(OptionSet& app, ProfileOptions& options) {
  options.request.verb = "trace profile";
  declare_trace(app, options.request.file);
  app.add_option(
         "--by", options.by,
         "rows of the table: action (default), site (place of the call, in recordings), region (function of the "
         "call), rank, peer (pair of ranks) or size (of messages)")
      ->check(one_of({divisions.begin(), divisions.end()}));
  app.add_option("--rows", options.rows, "largest number of printed rows (default 20)")
      ->check(whole_number(1, std::numeric_limits<std::uint32_t>::max()));
  declare(app, options.output);
  declare_replay(app, options.request);
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
