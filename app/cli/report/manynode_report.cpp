// SPDX-License-Identifier: MIT
//
// See manynode_report.hpp. The page reads the document (page/profile.js).
#include "app/cli/report/manynode_report.hpp"

#include <algorithm>
#include <ostream>

#include "app/cli/report/page_sources.hpp"
#include "app/cli/report/page_text.hpp"
#include "app/cli/report/quantity.hpp"
#include "app/cli/report/text_table.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

std::string percent_of(double part) { return fmt::format("{:.1f} %", 100 * part); }

std::string spread_of(const manynode::MarkerProfile& marker) {
  double square = 0;
  for (const manynode::ModeProfile& each : marker.modes) {
    const double mean = each.distribution.mean(), sd = each.distribution.deviation();
    square += each.weight * (sd * sd + mean * mean);
  }
  const double mean = marker.mean(), variance = std::max(square - mean * mean, 0.0);
  return mean > 0 ? percent_of(std::sqrt(variance) / mean) : "-";
}

std::string order_text(const manynode::ModeOrder& order) {
  std::string text(name_of(order.kind));
  if (order.kind == manynode::ModeOrder::Kind::period) {
    std::string word;
    for (const std::uint32_t each : order.period) word += (word.empty() ? "" : " ") + std::to_string(each);
    if (word.size() > 24) word = fmt::format("of {} executions", order.period.size());
    text += " " + word;
    if (!order.prefix.empty()) text += fmt::format(" behind {}", order.prefix.size());
  }
  return order.is_common ? text + ", common" : text;
}

std::string effects_text(const manynode::MarkerProfile& marker) {
  if (!marker.effects || !marker.effects->are_significant) return "-";
  return percent_of(marker.effects->rank_sd) + " / " + percent_of(marker.effects->iteration_sd);
}

std::string table_of_clusters(const manynode::Profile& profile) {
  TextTable table;
  table.add({"cluster", "ranks", "representative", "rule"});
  for (const manynode::RankCluster& each : profile.clusters) {
    table.add({std::to_string(each.id), std::to_string(each.ranks.size()), std::to_string(each.representative),
               text_of(each.rule)});
  }
  return table.text();
}

std::string table_of_markers(const manynode::Profile& profile, std::size_t most) {
  TextTable table;
  table.add({"marker", "cluster", "samples", "mean", "sd / mean", "modes", "order", "ranks / iterations differ by"});
  for (std::size_t i = 0; i < std::min(most, profile.markers.size()); ++i) {
    const manynode::MarkerProfile& each = profile.markers[i];
    table.add({each.id, std::to_string(each.cluster), app::with_commas(each.samples), as_latency(each.mean()),
               spread_of(each), std::to_string(each.modes.size()), order_text(each.order), effects_text(each)});
  }
  std::string text = table.text();
  if (most < profile.markers.size()) {
    text += fmt::format("{} of {} markers, those with most time\n", most, profile.markers.size());
  }
  return text;
}

}  // namespace

std::string text_of(const manynode::Profile& profile, std::size_t most) {
  std::string text;
  if (!profile.clusters.empty()) {
    text += fmt::format("{} in {}, by {}\n", app::counted(profile.ranks, "rank"),
                        app::counted(profile.clusters.size(), "cluster"), profile.clustered_by);
    text += table_of_clusters(profile);
  }
  if (!profile.markers.empty()) text += "\n" + table_of_markers(profile, most);
  if (profile.scaling) {
    text += fmt::format("{}scaling: {:.6g} + {:.6g} {}, from {} to {} ranks\n", text.empty() ? "" : "\n",
                        profile.scaling->constant, profile.scaling->slope, profile.scaling->term,
                        profile.scaling->least, profile.scaling->most);
  }
  return text;
}

void write_profile_page(std::ostream& out, const app::Json& profile) {
  out << page::head << "<title>profile</title>\n<style>\n"
      << page::style << "</style>\n</head>\n"
      << page::profile_body << "<script type=\"application/json\" id=\"profile\">" << for_script(profile)
      << "</script>\n<script>\n\"use strict\";\n"
      << page::profile_script << "</script>\n</body>\n</html>\n";
}

}  // namespace rehearse::cli
