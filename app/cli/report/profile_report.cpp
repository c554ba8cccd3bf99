// SPDX-License-Identifier: MIT
//
// See profile_report.hpp.
#include "app/cli/report/profile_report.hpp"

#include <algorithm>
#include <utility>

#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

using app::Spent;

constexpr Spent all_uses[] = {Spent::computation, Spent::late_sender, Spent::late_receiver,
                              Spent::late_member, Spent::transfer,    Spent::collective,
                              Spent::overhead,    Spent::polling,     Spent::pause};
static_assert(std::size(all_uses) == app::uses_of_time);

std::string in_seconds(Duration time) { return fmt::format("{:.9f}", time.seconds()); }

std::string share_of(Duration time, double all_seconds) {
  return all_seconds > 0 ? fmt::format("{:.2f} %", 100 * time.seconds() / all_seconds) : "-";
}

Duration waiting_in(const app::TimeByUse& time) {
  return time[Spent::late_sender] + time[Spent::late_receiver] + time[Spent::late_member];
}

Duration network_in(const app::TimeByUse& time) { return time[Spent::transfer] + time[Spent::collective]; }

double all_seconds_of(const app::TimeProfile& profile) {
  return profile.end.seconds() * static_cast<double>(profile.ranks.size());
}

std::string place_of_row(const app::ProfileRow& row) {
  std::string place = row.file.empty() ? "" : fmt::format("{}:{}", row.file.substr(row.file.rfind('/') + 1), row.line);
  if (!row.function.empty()) place += (place.empty() ? "in " : " in ") + row.function;
  return place;
}

std::vector<std::string> cells_of(const app::ProfileRow& row, const app::TimeProfile& profile) {
  return {app::with_commas(row.operations),
          app::with_commas(row.bytes),
          in_seconds(row.time.all()),
          share_of(row.time.all(), all_seconds_of(profile)),
          in_seconds(waiting_in(row.time)),
          in_seconds(network_in(row.time)),
          share_of(row.path.all(), profile.end.seconds())};
}

ReportTable table_by_action(const app::TimeProfile& profile) {
  ReportTable table{
      "Actions", {"action", "operations", "bytes", "seconds", "part", "waiting", "network", "path"}, {}, ""};
  for (const app::ProfileRow& row : profile.by_action()) {
    std::vector<std::string> cells = cells_of(row, profile);
    cells.insert(cells.begin(), row.action);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ReportTable table_by_region(const app::TimeProfile& profile) {
  ReportTable table{"Regions",
                    {"function", "operations", "bytes", "seconds", "part", "computation", "waiting", "network", "path"},
                    {},
                    ""};
  for (const app::ProfileRow& row : profile.by_function()) {
    std::vector<std::string> cells = cells_of(row, profile);
    cells.insert(cells.begin() + 4, in_seconds(row.time[Spent::computation]));
    cells.insert(cells.begin(), row.function.empty() ? "unknown" : row.function);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ReportTable table_by_site(const app::TimeProfile& profile) {
  ReportTable table{
      "Places", {"place", "action", "operations", "bytes", "seconds", "part", "waiting", "network", "path"}, {}, ""};
  for (const app::ProfileRow& row : profile.rows) {
    std::vector<std::string> cells = cells_of(row, profile);
    const std::string place = place_of_row(row);
    cells.insert(cells.begin(), {place.empty() ? "unknown" : place, row.action});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ReportTable table_by_rank(const app::TimeProfile& profile) {
  ReportTable table{
      "Ranks", {"rank", "computation", "waiting", "network", "other", "messages", "bytes", "path"}, {}, ""};
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    const app::ProfileRank& each = profile.ranks[rank];
    const Duration computation = each.time[Spent::computation];
    const Duration other = each.time.all() - computation - waiting_in(each.time) - network_in(each.time);
    table.rows.push_back({std::to_string(rank), in_seconds(computation), in_seconds(waiting_in(each.time)),
                          in_seconds(network_in(each.time)), in_seconds(other), app::with_commas(each.messages),
                          app::with_commas(each.bytes), share_of(each.path.all(), profile.end.seconds())});
  }
  return table;
}

ReportTable table_by_peer(const app::TimeProfile& profile) {
  ReportTable table{
      "Pairs of ranks", {"from", "to", "messages", "bytes", "late sender", "late receiver", "transfer"}, {}, ""};
  std::vector<app::ProfilePair> pairs = profile.pairs;
  std::ranges::stable_sort(pairs, [](const app::ProfilePair& one, const app::ProfilePair& other) {
    const auto waits = [](const app::ProfilePair& pair) {
      return pair.late_sender + pair.late_receiver + pair.transfer;
    };
    return waits(one) > waits(other);
  });
  for (const app::ProfilePair& pair : pairs)
    table.rows.push_back({std::to_string(pair.source), std::to_string(pair.destination),
                          app::with_commas(pair.messages), app::with_commas(pair.bytes), in_seconds(pair.late_sender),
                          in_seconds(pair.late_receiver), in_seconds(pair.transfer)});
  return table;
}

ReportTable table_by_size(const app::TimeProfile& profile) {
  ReportTable table{"Sizes of messages", {"from bytes", "to bytes", "messages", "bytes", "mean flight"}, {}, ""};
  for (const app::ProfileSize& size : profile.sizes) {
    const std::uint64_t most = size.least == 0 ? 0 : 2 * size.least - 1;
    table.rows.push_back({app::with_commas(size.least), app::with_commas(most), app::with_commas(size.messages),
                          app::with_commas(size.bytes),
                          fmt::format("{:.9f}", size.flight.seconds() / static_cast<double>(size.messages))});
  }
  return table;
}

app::Json to_json(const app::TimeByUse& time) {
  app::Json json = app::Json::object();
  for (const Spent use : all_uses) {
    std::string key(app::name_of(use));
    std::ranges::replace(key, ' ', '_');
    json[key + "_seconds"] = time[use].seconds();
  }
  return json;
}

app::Json to_json(const app::ProfileRow& row) {
  app::Json json = {{"action", row.action}, {"operations", row.operations}, {"bytes", row.bytes}};
  if (!row.file.empty()) {
    json["file"] = row.file;
    json["line"] = row.line;
  }
  if (!row.function.empty()) json["function"] = row.function;
  json["time"] = to_json(row.time);
  json["critical_path"] = to_json(row.path);
  return json;
}

}  // namespace

ReportTable table_of_uses(const app::TimeProfile& profile) {
  ReportTable table{"Time", {"use of time", "all ranks", "part", "critical path", "part"}, {}, ""};
  app::TimeByUse sum;
  for (const app::ProfileRank& rank : profile.ranks) sum.add(rank.time);
  for (const Spent use : all_uses) {
    if (sum[use] == Duration{} && profile.path[use] == Duration{}) continue;
    table.rows.push_back({std::string(app::name_of(use)), in_seconds(sum[use]),
                          share_of(sum[use], all_seconds_of(profile)), in_seconds(profile.path[use]),
                          share_of(profile.path[use], profile.end.seconds())});
  }
  const Duration all{profile.end.picoseconds * static_cast<std::int64_t>(profile.ranks.size())};
  if (all > sum.all())
    table.rows.push_back({"after its end", in_seconds(all - sum.all()),
                          share_of(all - sum.all(), all_seconds_of(profile)), in_seconds({}),
                          share_of({}, profile.end.seconds())});
  return table;
}

ReportTable table_by(std::string_view division, const app::TimeProfile& profile, std::size_t most_rows) {
  ReportTable table = division == "site"     ? table_by_site(profile)
                      : division == "region" ? table_by_region(profile)
                      : division == "rank"   ? table_by_rank(profile)
                      : division == "peer"   ? table_by_peer(profile)
                      : division == "size"   ? table_by_size(profile)
                                             : table_by_action(profile);
  if (table.rows.size() > most_rows) {
    table.note = fmt::format("{} of {} rows", most_rows, table.rows.size());
    table.rows.resize(most_rows);
  }
  return table;
}

app::Json to_json(const app::TimeProfile& profile) {
  app::Json json = {{"critical_path", to_json(profile.path)}};
  const auto list = [&](const char* key, const auto& elements, const auto& to_element) {
    app::Json array = app::Json::array();
    for (const auto& element : elements) array.push_back(to_element(element));
    json[key] = std::move(array);
  };
  const auto of_row = [](const app::ProfileRow& row) { return to_json(row); };
  list("actions", profile.by_action(), of_row);
  list("regions", profile.by_function(), of_row);
  list("sites", profile.rows, of_row);
  std::uint32_t number = 0;
  list("ranks", profile.ranks, [&](const app::ProfileRank& rank) {
    return app::Json{{"rank", number++},
                     {"messages", rank.messages},
                     {"bytes", rank.bytes},
                     {"time", to_json(rank.time)},
                     {"critical_path", to_json(rank.path)}};
  });
  list("pairs", profile.pairs, [](const app::ProfilePair& pair) {
    return app::Json{{"source", pair.source},
                     {"destination", pair.destination},
                     {"messages", pair.messages},
                     {"bytes", pair.bytes},
                     {"late_sender_seconds", pair.late_sender.seconds()},
                     {"late_receiver_seconds", pair.late_receiver.seconds()},
                     {"transfer_seconds", pair.transfer.seconds()}};
  });
  list("sizes", profile.sizes, [](const app::ProfileSize& size) {
    return app::Json{{"least_bytes", size.least},
                     {"messages", size.messages},
                     {"bytes", size.bytes},
                     {"flight_seconds", size.flight.seconds()}};
  });
  return json;
}

}  // namespace rehearse::cli
