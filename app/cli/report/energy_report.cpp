// SPDX-License-Identifier: MIT
//
// See energy_report.hpp.
#include "app/cli/report/energy_report.hpp"

#include <algorithm>

#include "app/cli/report/quantity.hpp"
#include "app/cli/report/text_table.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t rows_on_terminal = 8;
constexpr std::size_t rows_on_page = 200;

// A row of a table: its energy decides over its place.
struct Row {
  double joules = 0;
  std::vector<std::string> cells;
};

// The rows with the most energy, and one row for `noun` of the others.
std::vector<std::vector<std::string>> most_of(std::vector<Row> rows, std::size_t limit, std::string_view noun) {
  std::ranges::stable_sort(rows, std::ranges::greater(), &Row::joules);
  std::vector<std::vector<std::string>> cells;
  double rest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i < limit) cells.push_back(std::move(rows[i].cells));
    else rest += rows[i].joules;
  }
  if (rows.size() > limit)
    cells.push_back({app::counted(rows.size() - limit, std::string("other ") + std::string(noun)), as_energy(rest)});
  return cells;
}

ReportTable hosts_of(const app::EnergyUse& use, const Platform& platform, std::size_t limit) {
  std::vector<Row> rows;
  for (const app::HostEnergyUse& host : use.hosts) {
    const double power = use.seconds > 0 ? host.joules / use.seconds : 0;
    rows.push_back({host.joules,
                    {platform.host(host.host).name, as_energy(host.joules), as_energy(host.idle_joules),
                     as_power(power), app::with_commas(host.ranks)}});
  }
  return {"Energy of hosts", {"host", "energy", "idle", "power", "ranks"}, most_of(std::move(rows), limit, "host"), ""};
}

ReportTable links_of(const app::EnergyUse& use, const Platform& platform, std::size_t limit) {
  std::vector<Row> rows;
  for (const app::LinkEnergyUse& link : use.links)
    rows.push_back({link.joules, {platform.link(link.link).name, as_energy(link.joules)}});
  return {"Energy of links", {"link", "energy"}, most_of(std::move(rows), limit, "link"), ""};
}

ReportTable ranks_of(const app::EnergyUse& use, std::size_t limit) {
  std::vector<Row> rows;
  for (std::uint32_t rank = 0; rank < use.ranks.size(); ++rank)
    rows.push_back({use.ranks[rank], {fmt::format("rank {}", rank), as_energy(use.ranks[rank])}});
  return {"Energy of ranks",
          {"rank", "energy"},
          most_of(std::move(rows), limit, "rank"),
          "The ranks of a host divide its energy: that of the idle host equally, the rest by their computation."};
}

std::vector<ReportTable> tables(const app::EnergyUse& use, const Platform& platform, std::size_t limit) {
  std::vector<ReportTable> all;
  if (!use.hosts.empty()) all.push_back(hosts_of(use, platform, limit));
  if (!use.links.empty()) all.push_back(links_of(use, platform, limit));
  if (!use.ranks.empty()) all.push_back(ranks_of(use, limit));
  return all;
}

}  // namespace

std::string text_of(const app::EnergyUse& use, const Platform& platform) {
  std::vector<std::string> parts;
  if (!use.hosts.empty())
    parts.push_back("hosts " + as_energy(use.host_joules()) + " (idle " + as_energy(use.idle_joules()) + ")");
  if (!use.links.empty()) parts.push_back("links " + as_energy(use.link_joules()));
  std::string text = "energy: " + as_energy(use.joules()) + ", " + as_power(use.watts()) +
                     " on average: " + app::list_of(parts) + '\n';
  for (const ReportTable& table : tables(use, platform, rows_on_terminal)) {
    TextTable lines;
    lines.add(table.header);
    for (const std::vector<std::string>& row : table.rows) lines.add(row);
    text += lines.text();
  }
  return text;
}

std::vector<ReportTable> tables_of(const app::EnergyUse& use, const Platform& platform) {
  return tables(use, platform, rows_on_page);
}

}  // namespace rehearse::cli
