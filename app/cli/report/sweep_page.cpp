// SPDX-License-Identifier: MIT
//
// The page of a sweep: pictures as SVG inside of the page, which needs no script.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "app/cli/report/page_sources.hpp"
#include "app/cli/report/page_text.hpp"
#include "app/cli/report/sweep_pictures.hpp"
#include "app/cli/report/sweep_report.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

using manynode::Variability;

constexpr double wide = 860, tall = 380, left = 80, right = 20, top = 16, floor_height = 44;
constexpr std::size_t bars_most = 40;

// One of the dimensions of the sweep: its values for each point.
struct Dimension {
  std::string name;
  std::vector<std::string> values;  // those that differ, in their order
};

std::string value_in(const app::SweepPoint& point, const std::string& dimension) {
  if (dimension == "ranks") return std::to_string(point.ranks);
  if (dimension == "platform")
    return point.platform == fmt::format("cluster:{}", point.ranks) ? "cluster:N" : point.platform;
  for (const auto& [key, value] : point.parameters)
    if (key == dimension) return value;
  return "";
}

std::vector<Dimension> dimensions_of(const app::SweepReport& report) {
  std::vector<Dimension> all = {{"ranks", {}}};
  for (const app::SweepAxis& axis : report.axes) all.push_back({axis.key, {}});
  all.push_back({"platform", {}});
  for (Dimension& dimension : all)
    for (const app::SweepPoint& point : report.points) {
      const std::string value = value_in(point, dimension.name);
      if (std::ranges::find(dimension.values, value) == dimension.values.end()) dimension.values.push_back(value);
    }
  std::erase_if(all, [](const Dimension& dimension) { return dimension.values.size() < 2; });
  return all;
}

struct CurvePoint {
  std::size_t place = 0;  // of its value on the axis
  const app::SweepPoint* point = nullptr;
};

struct SweepCurve {
  std::string name;
  Variability variability = Variability::full;
  std::size_t colour = 0;
  std::vector<CurvePoint> points;
};

// Curves over the first dimension; points that differ only in their variability have one colour.
std::vector<SweepCurve> curves_of(const app::SweepReport& report, const Dimension& axis) {
  std::vector<SweepCurve> curves;
  std::map<std::string, std::size_t> colour_of;
  for (const app::SweepPoint& point : report.points) {
    std::string group;
    for (const Dimension& other : dimensions_of(report))
      if (other.name != axis.name)
        group += fmt::format("{}{} {}", group.empty() ? "" : ", ", other.name, value_in(point, other.name));
    const std::size_t colour = colour_of.try_emplace(group, colour_of.size()).first->second;
    const std::string name = fmt::format("{}{}{}", group, group.empty() ? "" : ", ", name_of(point.variability));
    auto curve = std::ranges::find(curves, name, &SweepCurve::name);
    if (curve == curves.end()) curve = curves.insert(curves.end(), {name, point.variability, colour, {}});
    const auto place = std::ranges::find(axis.values, value_in(point, axis.name)) - axis.values.begin();
    curve->points.push_back({static_cast<std::size_t>(place), &point});
  }
  return curves;
}

const char* dashes_of(Variability variability) {
  switch (variability) {
    case Variability::full: return "";
    case Variability::mean: return " stroke-dasharray=\"7 5\"";
    case Variability::independent: return " stroke-dasharray=\"2 4\"";
    case Variability::trace: break;
  }
  return " stroke-dasharray=\"9 3 2 3\"";
}

class CurvePicture {
 public:
  CurvePicture(const std::vector<SweepCurve>& curves, const Dimension& axis) : curves_(curves), axis_(axis) {
    for (const SweepCurve& curve : curves)
      for (const CurvePoint& each : curve.points) {
        const app::ConfidenceInterval interval = each.point->interval();
        least_ = std::min(least_, std::max(std::min(interval.low, each.point->times.mean), 1e-12));
        most_ = std::max(most_, std::max(interval.high, each.point->times.mean));
      }
    if (!(most_ > least_)) most_ = least_ * 1.5;
    const double margin = std::pow(most_ / least_, 0.06);
    least_ /= margin;
    most_ *= margin;
  }

  std::string text() {
    std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" width=\"100%\" role=\"img\">\n", wide, tall);
    add_axes(svg);
    for (const SweepCurve& curve : curves_) add_curve(svg, curve);
    return svg + "</svg>\n" + legend();
  }

 private:
  double x(std::size_t place) const {
    const double count = static_cast<double>(std::max<std::size_t>(axis_.values.size() - 1, 1));
    return left + 20 + (wide - left - right - 40) * static_cast<double>(place) / count;
  }
  double y(double seconds) const {
    const double part = std::log(std::max(seconds, least_) / least_) / std::log(most_ / least_);
    return tall - floor_height - (tall - floor_height - top) * part;
  }

  void add_axes(std::string& svg) const {
    svg += fmt::format("<path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".5\"/>\n", left,
                       top, tall - floor_height, wide - right);
    for (int i = 0; i <= 5; ++i) {
      const double seconds = least_ * std::pow(most_ / least_, i / 5.0);
      svg += fmt::format("<path d=\"M{} {:.1f}H{}\" stroke=\"currentColor\" stroke-opacity=\".12\"/><text x=\"{}\" "
                         "y=\"{:.1f}\" text-anchor=\"end\" font-size=\"12\" fill=\"currentColor\">{}</text>\n",
                         left, y(seconds), wide - right, left - 6, y(seconds) + 4, short_seconds(seconds));
    }
    for (std::size_t i = 0; i < axis_.values.size(); ++i)
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\" font-size=\"12\" "
                         "fill=\"currentColor\">{}</text>\n",
                         x(i), tall - floor_height + 18, for_html(axis_.values[i]));
    svg +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"12\" fill=\"currentColor\">{}</text>\n",
                    (left + wide - right) / 2, tall - 6, for_html(axis_.name));
  }

  void add_curve(std::string& svg, const SweepCurve& curve) const {
    std::string line, above, below;
    for (const CurvePoint& each : curve.points) {
      const app::ConfidenceInterval interval = each.point->interval();
      line += fmt::format("{:.1f},{:.1f} ", x(each.place), y(each.point->times.mean));
      above += fmt::format("{:.1f},{:.1f} ", x(each.place), y(interval.high));
      below = fmt::format("{:.1f},{:.1f} ", x(each.place), y(interval.low)) + below;
    }
    const char* colour = sweep_colour(curve.colour);
    svg +=
        fmt::format("<polygon points=\"{}{}\" fill=\"{}\" fill-opacity=\".2\"/><polyline points=\"{}\" fill=\"none\" "
                    "stroke=\"{}\" stroke-width=\"2\"{}/>\n",
                    above, below, colour, line, colour, dashes_of(curve.variability));
    for (const CurvePoint& each : curve.points)
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"><title>{}: {}</title></circle>\n",
                         x(each.place), y(each.point->times.mean), colour, for_html(each.point->name()),
                         short_seconds(each.point->times.mean));
  }

  std::string legend() const {
    std::string html = "<p>";
    for (const SweepCurve& curve : curves_)
      html += fmt::format(
          "<svg width=\"34\" height=\"10\"><path d=\"M2 5H32\" stroke=\"{}\" stroke-width=\"2\"{}/></svg> {} "
          "&nbsp; ",
          sweep_colour(curve.colour), dashes_of(curve.variability), for_html(curve.name));
    return html + "</p>\n";
  }

  const std::vector<SweepCurve>& curves_;
  const Dimension& axis_;
  double least_ = 1e300, most_ = 1e-12;
};

struct StackPart {
  const char* name;
  const char* colour;
  double app::SweepPoint::*seconds;
};
constexpr StackPart stack_parts[] = {{"computation", "#009e73", &app::SweepPoint::compute_seconds},
                                     {"transfer", "#0072b2", &app::SweepPoint::communication_seconds},
                                     {"waiting", "#d55e00", &app::SweepPoint::waiting_seconds}};

std::string stacks(const app::SweepReport& report) {
  double most = 0;
  const std::size_t count = std::min(report.points.size(), bars_most);
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, report.points[i].times.mean);
  const double height = 22 * static_cast<double>(count), begin = 330;
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" width=\"100%\" role=\"img\">\n", wide, height);
  for (std::size_t i = 0; i < count; ++i) {
    const app::SweepPoint& point = report.points[i];
    const double at = 22 * static_cast<double>(i);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"11\" fill=\"currentColor\">{}</text>\n",
                       begin - 6, at + 14, for_html(point.name()));
    double from = begin;
    for (const StackPart& part : stack_parts) {
      const double length = most > 0 ? (wide - begin - right) * point.*part.seconds / most : 0;
      svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"16\" fill=\"{}\"><title>{} {}</title></rect>\n", from,
          at + 2, std::max(length, 0.0), part.colour, part.name, short_seconds(point.*part.seconds));
      from += std::max(length, 0.0);
    }
  }
  svg += "</svg>\n<p>";
  for (const StackPart& part : stack_parts)
    svg +=
        fmt::format("<svg width=\"14\" height=\"12\"><rect width=\"12\" height=\"12\" fill=\"{}\"/></svg> {} &nbsp; ",
                    part.colour, part.name);
  if (count < report.points.size()) svg += fmt::format("(the first {} of {} points)", count, report.points.size());
  return svg + "</p>\n";
}

// Means over the first two dimensions, for the first values of the others.
std::string heat_map(const app::SweepReport& report, const Dimension& across, const Dimension& down) {
  std::map<std::pair<std::string, std::string>, const app::SweepPoint*> cells;
  double least = 1e300, most = 0;
  for (const app::SweepPoint& point : report.points) {
    if (point.variability != report.points.front().variability) continue;
    const auto [cell, is_new] = cells.try_emplace({value_in(point, across.name), value_in(point, down.name)}, &point);
    if (!is_new) continue;
    least = std::min(least, point.times.mean);
    most = std::max(most, point.times.mean);
  }
  const double begin = 150, width = (wide - begin - right) / static_cast<double>(across.values.size());
  const double height = 34 * static_cast<double>(down.values.size()) + 30;
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" width=\"100%\" role=\"img\">\n", wide, height);
  for (std::size_t i = 0; i < across.values.size(); ++i)
    svg += fmt::format(
        "<text x=\"{:.1f}\" y=\"14\" text-anchor=\"middle\" font-size=\"12\" fill=\"currentColor\">{}</text>\n",
        begin + width * (static_cast<double>(i) + 0.5), for_html(across.values[i]));
  for (std::size_t j = 0; j < down.values.size(); ++j) {
    const double at = 22 + 34 * static_cast<double>(j);
    svg +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"12\" fill=\"currentColor\">{} {}</text>\n",
                    begin - 8, at + 20, for_html(down.name), for_html(down.values[j]));
    for (std::size_t i = 0; i < across.values.size(); ++i) {
      const auto found = cells.find({across.values[i], down.values[j]});
      if (found == cells.end()) continue;
      const double seconds = found->second->times.mean;
      const double part = most > least && least > 0 ? std::log(seconds / least) / std::log(most / least) : 0;
      svg += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"32\" fill=\"#d55e00\" "
                         "fill-opacity=\"{:.2f}\"/><text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\" font-size=\"12\" "
                         "fill=\"currentColor\">{}</text>\n",
                         begin + width * static_cast<double>(i), at, width - 2, 0.06 + 0.74 * part,
                         begin + width * (static_cast<double>(i) + 0.5), at + 20, short_seconds(seconds));
    }
  }
  return svg + "</svg>\n";
}

std::string number_table(const app::SweepReport& report) {
  std::string html = "<div style=\"overflow-x:auto\"><table><thead><tr><th>platform</th><th>ranks</th>";
  for (const app::SweepAxis& axis : report.axes) html += "<th>" + for_html(axis.key) + "</th>";
  html += "<th>variability</th><th>replicas</th><th>mean</th><th>sd</th><th>95 % interval</th><th>quantiles</th>"
          "<th>computation</th><th>transfer</th><th>waiting</th></tr></thead><tbody>\n";
  for (const app::SweepPoint& point : report.points) {
    html += fmt::format("<tr><td>{}</td><td>{}</td>", for_html(point.platform), point.ranks);
    for (const auto& [key, value] : point.parameters) html += "<td>" + for_html(value) + "</td>";
    const app::ConfidenceInterval interval = point.interval();
    std::string quantiles;
    for (const auto& [part, seconds] : point.quantiles())
      quantiles += fmt::format("{}{}: {}", quantiles.empty() ? "" : ", ", part, short_seconds(seconds));
    html += fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{} to {}</td><td>{}</td>",
                        name_of(point.variability), point.makespans.size(), short_seconds(point.times.mean),
                        short_seconds(point.times.deviation), short_seconds(interval.low), short_seconds(interval.high),
                        quantiles);
    for (const StackPart& part : stack_parts) html += "<td>" + short_seconds(point.*part.seconds) + "</td>";
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string html = "<ul>";
  for (const std::string& text : texts) html += "<li>" + for_html(text) + "</li>\n";
  return html + "</ul>\n";
}

}  // namespace

std::string sweep_page(const app::SweepReport& report) {
  std::string html(page::head);
  html +=
      "<title>" + for_html(report.skeleton) + ": sweep</title>\n<style>\n" + std::string(page::style) +
      "\nmain { max-width: 70rem; margin: auto; padding: 1rem; } td, th { padding: .2rem .6rem; text-align: right; }"
      "</style>\n</head>\n<body>\n<main>\n";
  html +=
      fmt::format("<h1>{}</h1>\n<p>{} of {} points, seed {}. Bands and intervals have a confidence of 95 %. The dashed "
                  "curves give every computation its mean time.</p>\n",
                  for_html(report.skeleton), report.points.size(), report.points_wanted, report.seed);
  if (report.was_interrupted) html += "<p><b>The sweep was interrupted.</b></p>\n";
  if (!report.warnings.empty()) html += "<h2>Caveats</h2>\n" + list_of(report.warnings);
  const std::vector<Dimension> dimensions = dimensions_of(report);
  if (!dimensions.empty() && !report.points.empty()) {
    const std::vector<SweepCurve> curves = curves_of(report, dimensions.front());
    html += fmt::format("<h2>Time over {}</h2>\n", for_html(dimensions.front().name)) +
            CurvePicture(curves, dimensions.front()).text();
  }
  const std::vector<std::string> crossed = crossings(report);
  if (!crossed.empty()) html += "<h2>Crossings</h2>\n" + list_of(crossed);
  if (dimensions.size() >= 2) html += "<h2>Means</h2>\n" + heat_map(report, dimensions[0], dimensions[1]);
  if (!report.points.empty()) html += "<h2>Computation, transfer, waiting (means over ranks)</h2>\n" + stacks(report);
  html += timeline_section(report) + marker_section(report) + cluster_section(report) + support_section(report);
  if (!report.points.empty()) html += "<h2>All numbers</h2>\n" + number_table(report);
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace rehearse::cli
