// SPDX-License-Identifier: MIT
//
// See log_gops_profile_report.hpp.
#include "app/cli/report/log_gops_profile_report.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

// Of a rank, in nanoseconds: the mean of its processors. Their sum is the end of the run.
struct RankUses {
  double computation = 0, overhead = 0, waiting = 0, after_end = 0;
};

RankUses uses_of(const app::LogGopsRank& rank, std::uint64_t end_ns) {
  RankUses uses;
  uses.computation = static_cast<double>(rank.compute_ns) / rank.processors;
  uses.overhead = static_cast<double>(rank.overhead_ns) / rank.processors;
  uses.waiting = std::max(0.0, static_cast<double>(rank.end_ns) - uses.computation - uses.overhead);
  uses.after_end = static_cast<double>(end_ns - rank.end_ns);
  return uses;
}

std::string as_seconds(double nanoseconds) { return fmt::format("{:.9f}", nanoseconds * 1e-9); }

std::string as_part(double nanoseconds, double all) {
  return all > 0 ? fmt::format("{:.2f} %", 100 * nanoseconds / all) : "-";
}

ReportTable uses_table(const app::LogGopsProfile& profile) {
  RankUses sum;
  const std::uint64_t end = profile.replay.end_ns();
  for (const app::LogGopsRank& rank : profile.replay.ranks) {
    const RankUses uses = uses_of(rank, end);
    sum.computation += uses.computation;
    sum.overhead += uses.overhead;
    sum.waiting += uses.waiting;
    sum.after_end += uses.after_end;
  }
  const double all = static_cast<double>(end) * static_cast<double>(profile.replay.ranks.size());
  ReportTable table{"Time", {"use of time", "all ranks", "part"}, {}, ""};
  const auto add = [&](const char* name, double nanoseconds) {
    if (nanoseconds > 0) table.rows.push_back({name, as_seconds(nanoseconds), as_part(nanoseconds, all)});
  };
  add("computation", sum.computation);
  add("overhead", sum.overhead);
  add("waiting", sum.waiting);
  add("after its end", sum.after_end);
  return table;
}

ReportTable growth_table(const app::LogGopsProfile& profile) {
  ReportTable table{"Critical path", {"critical path", "ns", "times", "seconds", "part"}, {}, ""};
  const auto end = static_cast<double>(profile.replay.end_ns());
  for (const app::LogGopsGrowth& each : profile.growth)
    table.rows.push_back({std::string(1, each.parameter), std::to_string(each.value_ns), std::to_string(each.growth),
                          as_seconds(each.path_ns()), as_part(each.path_ns(), end)});
  const double rest = profile.computation_on_path_ns();
  table.rows.push_back({"computation", "", "", as_seconds(rest), as_part(rest, end)});
  return table;
}

ReportTable by_rank(const app::LogGopsProfile& profile) {
  ReportTable table{
      "Ranks", {"rank", "computation", "overhead", "waiting", "after its end", "messages", "bytes"}, {}, ""};
  for (std::size_t rank = 0; rank < profile.replay.ranks.size(); ++rank) {
    const app::LogGopsRank& each = profile.replay.ranks[rank];
    const RankUses uses = uses_of(each, profile.replay.end_ns());
    table.rows.push_back({std::to_string(rank), as_seconds(uses.computation), as_seconds(uses.overhead),
                          as_seconds(uses.waiting), as_seconds(uses.after_end), app::with_commas(each.messages),
                          app::with_commas(each.bytes)});
  }
  return table;
}

ReportTable by_peer(const app::LogGopsProfile& profile) {
  ReportTable table{"Pairs of ranks", {"from", "to", "messages", "bytes"}, {}, ""};
  std::vector<app::LogGopsPair> pairs = profile.pairs;
  std::ranges::stable_sort(pairs, std::ranges::greater{}, &app::LogGopsPair::bytes);
  for (const app::LogGopsPair& pair : pairs)
    table.rows.push_back({std::to_string(pair.source), std::to_string(pair.destination),
                          app::with_commas(pair.messages), app::with_commas(pair.bytes)});
  return table;
}

ReportTable by_size(const app::LogGopsProfile& profile) {
  ReportTable table{"Sizes of messages", {"from bytes", "to bytes", "messages", "bytes"}, {}, ""};
  for (const app::LogGopsSize& size : profile.sizes)
    table.rows.push_back({app::with_commas(size.least), app::with_commas(size.least == 0 ? 0 : 2 * size.least - 1),
                          app::with_commas(size.messages), app::with_commas(size.bytes)});
  return table;
}

}  // namespace

std::vector<ReportTable> tables_of(const app::LogGopsProfile& profile, std::string_view division,
                                   std::size_t most_rows) {
  ReportTable table = division == "peer" ? by_peer(profile) : division == "size" ? by_size(profile) : by_rank(profile);
  if (table.rows.size() > most_rows) {
    table.note = fmt::format("{} of {} rows", most_rows, table.rows.size());
    table.rows.resize(most_rows);
  }
  return {uses_table(profile), growth_table(profile), std::move(table)};
}

app::Json to_json(const app::LogGopsProfile& profile) {
  app::Json path = app::Json::array(), ranks = app::Json::array(), pairs = app::Json::array(),
            sizes = app::Json::array();
  for (const app::LogGopsGrowth& each : profile.growth)
    path.push_back({{"parameter", std::string(1, each.parameter)},
                    {"value_ns", each.value_ns},
                    {"times", each.growth},
                    {"seconds", each.path_ns() * 1e-9}});
  for (std::size_t rank = 0; rank < profile.replay.ranks.size(); ++rank) {
    const app::LogGopsRank& each = profile.replay.ranks[rank];
    const RankUses uses = uses_of(each, profile.replay.end_ns());
    ranks.push_back({{"rank", rank},
                     {"processors", each.processors},
                     {"messages", each.messages},
                     {"bytes", each.bytes},
                     {"computation_seconds", uses.computation * 1e-9},
                     {"overhead_seconds", uses.overhead * 1e-9},
                     {"waiting_seconds", uses.waiting * 1e-9},
                     {"after_its_end_seconds", uses.after_end * 1e-9}});
  }
  for (const app::LogGopsPair& pair : profile.pairs)
    pairs.push_back({{"source", pair.source},
                     {"destination", pair.destination},
                     {"messages", pair.messages},
                     {"bytes", pair.bytes}});
  for (const app::LogGopsSize& size : profile.sizes)
    sizes.push_back({{"least_bytes", size.least}, {"messages", size.messages}, {"bytes", size.bytes}});
  return {{"critical_path", std::move(path)},
          {"computation_on_critical_path_seconds", profile.computation_on_path_ns() * 1e-9},
          {"ranks", std::move(ranks)},
          {"pairs", std::move(pairs)},
          {"sizes", std::move(sizes)}};
}

}  // namespace rehearse::cli
