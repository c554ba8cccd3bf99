// SPDX-License-Identifier: MIT
//
// See sweep_pictures.hpp.
#include "app/cli/report/sweep_pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/cli/report/page_text.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

using app::SweepTimeline;
using manynode::DrawMode;
using manynode::Draws;

constexpr std::size_t markers_most = 24, cells_most = 4096;
constexpr double picture_width = 860, panel_width = 400, panel_height = 210, panel_left = 56, panel_floor = 30;
constexpr double computations_shown = 10;
constexpr int survival_decades = 6;

std::string text_at(double x, double y, const char* anchor, std::string_view text) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"11\" fill=\"currentColor\">{}</text>\n", x, y,
      anchor, for_html(std::string(text)));
}

std::string open_svg(double height, const char* name) {
  return fmt::format("<svg class=\"{}\" viewBox=\"0 0 {} {:.0f}\" width=\"100%\" role=\"img\">\n", name, picture_width,
                     height);
}

// ---- the first ranks over time

// The end of so many computations of the first rank.
double shown_seconds(const SweepTimeline& timeline) {
  double computations = 0, end = 0;
  for (const SweepTimeline::Span& span : timeline.spans.front()) {
    end = span.end;
    computations += span.activity == SweepTimeline::Activity::computation;
    if (computations > computations_shown) break;
  }
  return end;
}

std::string lanes(const SweepTimeline& timeline, double until) {
  constexpr double begin = 70, lane = 14;
  const double scale = (picture_width - begin - 10) / until;
  const double height = lane * static_cast<double>(timeline.spans.size());
  std::string svg = open_svg(height + 22, "timeline");
  for (std::size_t rank = 0; rank < timeline.spans.size(); ++rank) {
    const double y = lane * static_cast<double>(rank);
    svg += text_at(begin - 6, y + 11, "end", fmt::format("rank {}", rank));
    for (const SweepTimeline::Span& span : timeline.spans[rank]) {
      if (span.begin >= until) break;
      const bool computes = span.activity == SweepTimeline::Activity::computation;
      svg += fmt::format("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"/>\n",
                         begin + span.begin * scale, y + 1, (std::min(span.end, until) - span.begin) * scale, lane - 2,
                         sweep_colour(computes ? 2 : 1));
    }
  }
  for (int i = 0; i <= 4; ++i)
    svg += text_at(begin + (picture_width - begin - 10) * i / 4, height + 15, i == 4 ? "end" : "middle",
                   short_seconds(until * i / 4));
  return svg + "</svg>\n";
}

// ---- markers

struct SurvivalAxis {
  double least = 0, most = 1;

  double x(double seconds, double left) const {
    return left + panel_left + (panel_width - panel_left - 10) * (seconds - least) / (most - least);
  }
  // `left`: the part of the draws that is slower.
  static double y(double part) {
    const double depth = std::clamp(-std::log10(std::max(part, 1e-300)) / survival_decades, 0.0, 1.0);
    return 12 + (panel_height - panel_floor - 12) * depth;
  }
  static double y_of_probability(double part) {
    return panel_height - panel_floor - (panel_height - panel_floor - 12) * part;
  }
};

SurvivalAxis axis_of(const Draws& draws) {
  SurvivalAxis axis{1e300, 0};
  for (const DrawMode& mode : draws.modes) {
    axis.least = std::min(axis.least, mode.law.quantile(1e-4));
    axis.most = std::max(axis.most, mode.law.quantile(1 - 1e-6));
  }
  if (!(axis.most > axis.least)) axis.most = axis.least + std::max(std::abs(axis.least), 1e-12);
  return axis;
}

std::string panel_frame(const SurvivalAxis& axis, double left, const char* title) {
  const double floor = panel_height - panel_floor;
  std::string svg = fmt::format(
      "<path d=\"M{:.1f} 12V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".5\"/>\n",
      left + panel_left, floor, left + panel_width - 10);
  for (int i = 0; i <= 3; ++i) {
    const double seconds = axis.least + (axis.most - axis.least) * i / 3;
    svg += text_at(axis.x(seconds, left), floor + 14, i == 3 ? "end" : "middle", short_seconds(seconds));
  }
  return svg + text_at(left + panel_left + 4, 10, "start", title);
}

std::string polyline(const std::string& points, const char* colour, const char* more) {
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n", points, colour,
                     more);
}

// The distribution function, mode by mode.
std::string distribution_panel(const Draws& draws, const SurvivalAxis& axis) {
  std::string svg = panel_frame(axis, 0, "part of the draws of at most this time");
  for (const double part : {0.0, 0.5, 1.0})
    svg += text_at(panel_left - 6, SurvivalAxis::y_of_probability(part) + 4, "end", fmt::format("{}", part));
  double below = 0;
  for (std::size_t i = 0; i < draws.modes.size(); ++i) {
    const DrawMode& mode = draws.modes[i];
    std::string points;
    for (int k = 0; k <= 100; ++k) {
      const double u = std::clamp(k / 100.0, 1e-4, 1 - 1e-4);
      points += fmt::format("{:.1f},{:.1f} ", axis.x(mode.law.quantile(u), 0),
                            SurvivalAxis::y_of_probability(below + mode.weight * u));
    }
    svg += polyline(points, sweep_colour(i), "");
    if (const auto* law = std::get_if<manynode::EmpiricalLaw>(&mode.law.variant()))
      for (const manynode::QuantilePoint& each : law->distribution.points())
        svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"2.4\" height=\"2.4\" fill=\"{}\"/>\n",
                           axis.x(each.value, 0) - 1.2,
                           SurvivalAxis::y_of_probability(below + mode.weight * each.probability) - 1.2,
                           sweep_colour(i));
    below += mode.weight;
  }
  return svg;
}

// The upper tail of each mode, and how far the slowest of the ranks reaches.
std::string tail_panel(const Draws& draws, const SurvivalAxis& axis, const std::set<std::uint32_t>& ranks) {
  constexpr double left = picture_width - panel_width;
  std::string svg = panel_frame(axis, left, "part of the draws of a mode that is slower");
  for (int i = 0; i <= survival_decades; i += 2)
    svg += text_at(left + panel_left - 6, SurvivalAxis::y(std::pow(10.0, -i)) + 4, "end", fmt::format("1e-{}", i));
  for (std::size_t i = 0; i < draws.modes.size(); ++i) {
    const DrawMode& mode = draws.modes[i];
    std::string points;
    for (int k = 0; k <= 120; ++k) {
      const double part = std::pow(10.0, -survival_decades * k / 120.0);
      points += fmt::format("{:.1f},{:.1f} ", axis.x(mode.law.quantile(std::clamp(1 - part, 1e-4, 1 - 1e-12)), left),
                            SurvivalAxis::y(part));
    }
    const auto* law = std::get_if<manynode::EmpiricalLaw>(&mode.law.variant());
    const bool has_tail = law != nullptr && law->distribution.tail() && law->use != manynode::TailUse::measured;
    svg += polyline(points, sweep_colour(i), has_tail ? " stroke-dasharray=\"5 3\"" : "");
    if (law == nullptr) continue;
    for (const manynode::QuantilePoint& each : law->distribution.points())
      if (each.probability < 1)
        svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"2.4\" height=\"2.4\" fill=\"{}\"/>\n",
                           axis.x(each.value, left) - 1.2, SurvivalAxis::y(1 - each.probability) - 1.2,
                           sweep_colour(i));
  }
  for (const std::uint32_t each : ranks) {
    const double y = SurvivalAxis::y(1 - std::pow(0.5, 1.0 / each));
    svg += fmt::format("<path class=\"reach\" d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"currentColor\" "
                       "stroke-opacity=\".25\"/>\n",
                       left + panel_left, y, left + panel_width - 10);
    svg += text_at(left + panel_width - 10, y - 2, "end", fmt::format("slowest of {}", each));
  }
  return svg;
}

std::string order_strip(const Draws& draws) {
  if (draws.order != manynode::ModeOrder::Kind::period || draws.modes.size() < 2) return "";
  std::vector<std::uint32_t> labels = draws.prefix;
  const std::size_t repeats = std::clamp<std::size_t>(120 / draws.period.size(), 1, 3);
  for (std::size_t i = 0; i < repeats; ++i) labels.insert(labels.end(), draws.period.begin(), draws.period.end());
  const double cell = std::min(14.0, (picture_width - 20) / static_cast<double>(labels.size()));
  std::string svg = open_svg(20, "strip");
  for (std::size_t i = 0; i < labels.size(); ++i)
    svg += fmt::format("<rect x=\"{:.2f}\" y=\"3\" width=\"{:.2f}\" height=\"14\" fill=\"{}\"/>\n",
                       10 + cell * static_cast<double>(i), std::max(cell - 1, 0.3), sweep_colour(labels[i]));
  return svg +
         fmt::format("</svg>\n<p>Order of the modes: {} behind {}, kept by {:.1f} % of the draws.</p>\n",
                     draws.period.size() == 1 ? "one execution" : fmt::format("a period of {}", draws.period.size()),
                     draws.prefix.size(), 100 * draws.agreement);
}

std::set<std::uint32_t> ranks_of_points(const app::SweepReport& report) {
  std::set<std::uint32_t> all;
  for (const app::SweepPoint& point : report.points) all.insert(point.ranks);
  while (all.size() > 4) all.erase(std::next(all.begin()));
  return all;
}

}  // namespace

const char* sweep_colour(std::size_t at) {
  constexpr std::array colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                  "#e69f00", "#56b4e9", "#8c6d1f", "#666666"};
  return colours[at % colours.size()];
}

std::string short_seconds(double seconds) {
  if (seconds >= 1 || seconds == 0) return fmt::format("{:.4g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.4g} ms", seconds * 1e3);
  return fmt::format("{:.4g} µs", seconds * 1e6);
}

std::string timeline_section(const app::SweepReport& report) {
  if (report.timelines.empty() || report.timelines.front().spans.empty()) return "";
  const double until = shown_seconds(report.timelines.front());
  if (!(until > 0)) return "";
  std::string html = "<h2>The first ranks over time</h2>\n";
  for (const SweepTimeline& timeline : report.timelines)
    html += fmt::format("<p>{} of {} ranks, {} times:</p>\n", timeline.spans.size(), timeline.ranks,
                        timeline.variability == manynode::Variability::full ? "drawn" : "mean") +
            lanes(timeline, until);
  return html + fmt::format("<p><span style=\"color:{}\">■</span> computation &nbsp; <span style=\"color:{}\">■</span> "
                            "communication and waiting</p>\n",
                            sweep_colour(2), sweep_colour(1));
}

std::string marker_section(const app::SweepReport& report) {
  if (report.model == nullptr) return "";
  const std::set<std::uint32_t> ranks = ranks_of_points(report);
  std::string html;
  std::size_t shown = 0, all = 0;
  for (const manynode::Marker& marker : report.model->markers)
    for (std::size_t cluster = 0; cluster < marker.of_cluster.size(); ++cluster) {
      const Draws* draws = marker.of_cluster[cluster].get();
      if (draws == nullptr || ++all > markers_most) continue;
      ++shown;
      const SurvivalAxis axis = axis_of(*draws);
      html += fmt::format("<h3>{}, cluster {}</h3>\n<p>{} {}, mean {}</p>\n", for_html(marker.id),
                          for_html(report.model->clusters[cluster].id), draws->modes.size(),
                          draws->modes.size() == 1 ? "mode" : "modes", short_seconds(draws->mean())) +
              open_svg(panel_height, "draws") + distribution_panel(*draws, axis) + tail_panel(*draws, axis, ranks) +
              "</svg>\n" + order_strip(*draws);
    }
  if (html.empty()) return "";
  html =
      "<h2>Draws</h2>\n<p>Squares: bins of the samples. Dashed: with the fitted law of the largest tenth. Lines: the "
      "median of the slowest of so many ranks.</p>\n" +
      html;
  if (shown < all) html += fmt::format("<p>{} of {} are shown.</p>\n", shown, all);
  return html;
}

std::string cluster_section(const app::SweepReport& report) {
  if (report.model == nullptr || report.model->clusters.size() < 2 || report.clusters.empty()) return "";
  const std::size_t count = std::min(report.clusters.size(), cells_most);
  const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(report.clusters.size()))));
  const double cell = std::min(14.0, (picture_width - 20) / static_cast<double>(columns));
  std::string svg = open_svg(cell * static_cast<double>((count + columns - 1) / columns) + 4, "clusters");
  for (std::size_t rank = 0; rank < count; ++rank)
    svg += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                       10 + cell * static_cast<double>(rank % columns), 2 + cell * static_cast<double>(rank / columns),
                       cell - 0.8, cell - 0.8, sweep_colour(report.clusters[rank]));
  std::string html =
      fmt::format("<h2>Clusters of ranks</h2>\n<p>{} of {} ranks, row by row.</p>\n", count, report.clusters.size()) +
      svg + "</svg>\n<p>";
  for (std::size_t i = 0; i < report.model->clusters.size(); ++i)
    html += fmt::format("<span style=\"color:{}\">■</span> {} &nbsp; ", sweep_colour(i),
                        for_html(report.model->clusters[i].id));
  return html + "</p>\n";
}

std::string support_section(const app::SweepReport& report) {
  if (report.support.empty()) return "";
  std::string html =
      "<h2>Draws and samples</h2>\n<p>The slowest rank: the median of the slowest of all ranks of a cluster, in one "
      "execution. Its band has the error of the fitted tail (95 %, by samples that were drawn again).</p>\n<div "
      "style=\"overflow-x:auto\"><table><thead><tr><th>ranks</th><th>marker</th><th>cluster</th><th>mode</th>"
      "<th>samples</th><th>draws</th><th>slowest rank</th><th>band</th><th>by the samples alone</th></tr></thead>"
      "<tbody>\n";
  for (const app::DrawSupport& each : report.support)
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{} to "
                        "{}</td><td>{}</td></tr>\n",
                        each.ranks, for_html(each.marker), each.cluster, each.mode, each.samples, each.draws,
                        short_seconds(each.slowest), short_seconds(each.band.low), short_seconds(each.band.high),
                        short_seconds(each.slowest_measured));
  return html + "</tbody></table></div>\n";
}

}  // namespace rehearse::cli
