// SPDX-License-Identifier: MIT
//
// The results of a sweep as JSON and CSV, and comparisons of its points.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>

#include "app/sweep.hpp"
#include "app/time_comparison.hpp"
#include "app/version.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::app {
namespace {

constexpr std::uint64_t least_for_tails = 20;  // replicas, for quantiles of 5 and 95 %

std::string quoted_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') fields.back() += line[++i];
    else if (c == '"') is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted) fields.emplace_back();
    else fields.back() += c;
  }
  return fields;
}

constexpr std::size_t fields_before = 2, fields_behind = 13;  // the parameters

std::optional<double> number_of(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return number;
}

std::optional<manynode::Variability> variability_of(const std::string& text) {
  using manynode::Variability;
  for (const Variability each : {Variability::full, Variability::mean, Variability::independent, Variability::trace})
    if (name_of(each) == text) return each;
  return std::nullopt;
}

// Everything that the points depend on, apart from themselves.
std::string identity_of(const SweepRequest& request) {
  std::string all =
      fmt::format("{}\n{}\n", read_file(request.skeleton).value_or(""), read_file(request.samples).value_or(""));
  for (const std::string& profile : request.profiles) all += read_file(profile).value_or("") + "\n";
  all += fmt::format("{} {} {} {} ", request.replicas, request.half_width.value_or(0), request.seed,
                     static_cast<int>(request.collectives));
  for (const auto& [name, value] : request.machine.models.values) all += name + "=" + value + "\n";
  all += fmt::format("{} {} {} {} {} {} {}", request.machine.models.file, request.machine.collectives,
                     request.machine.hostfile, request.machine.map, request.machine.changes.latency_factor,
                     request.machine.changes.bandwidth_factor,
                     request.has_fitted_tails + 2 * request.is_strong + 4 * request.extrapolates);
  StableHash hash;
  hash.add(all);
  return fmt::format("{:016x}", hash.value());
}

Json support_json(const std::vector<DrawSupport>& support) {
  Json all = Json::array();
  for (const DrawSupport& each : support)
    all.push_back({{"ranks", each.ranks},
                   {"marker", each.marker},
                   {"cluster", each.cluster},
                   {"mode", each.mode},
                   {"of_ranks", each.of_ranks},
                   {"samples", each.samples},
                   {"draws", each.draws},
                   {"slowest", each.slowest},
                   {"slowest_band95", Json::array({each.band.low, each.band.high})},
                   {"slowest_measured", each.slowest_measured}});
  return all;
}

}  // namespace

ConfidenceInterval SweepPoint::interval() const {
  return times.of_mean.value_or(ConfidenceInterval{times.mean, times.mean});
}

std::vector<std::pair<std::string, double>> SweepPoint::quantiles() const {
  std::vector<double> ascending = makespans;
  std::sort(ascending.begin(), ascending.end());
  if (ascending.size() < least_for_tails)
    return {{"0", ascending.front()}, {"0.5", quantile_of(ascending, 0.5)}, {"1", ascending.back()}};
  return {{"0.05", quantile_of(ascending, 0.05)},
          {"0.5", quantile_of(ascending, 0.5)},
          {"0.95", quantile_of(ascending, 0.95)}};
}

std::string SweepPoint::name() const {
  std::string name = fmt::format("{}, {} ranks", platform, ranks);
  for (const auto& [key, value] : parameters) name += fmt::format(", {} {}", key, value);
  return name + ", " + std::string(name_of(variability));
}

bool SweepPoint::is_same(const SweepPoint& other) const {
  return platform == other.platform && ranks == other.ranks && parameters == other.parameters &&
         variability == other.variability;
}

Json to_json(const SweepReport& report) {
  Json points = Json::array();
  for (const SweepPoint& point : report.points) {
    Json parameters = Json::object();
    for (const auto& [key, value] : point.parameters) parameters[key] = value;
    Json quantiles = Json::object();
    for (const auto& [part, seconds] : point.quantiles()) quantiles[part] = seconds;
    const ConfidenceInterval interval = point.interval();
    points.push_back({{"platform", point.platform},
                      {"ranks", point.ranks},
                      {"parameters", std::move(parameters)},
                      {"variability", name_of(point.variability)},
                      {"replicas", point.makespans.size()},
                      {"mean", point.times.mean},
                      {"sd", point.times.deviation},
                      {"ci95", Json::array({interval.low, interval.high})},
                      {"quantiles", std::move(quantiles)},
                      {"compute_seconds", point.compute_seconds},
                      {"communication_seconds", point.communication_seconds},
                      {"waiting_seconds", point.waiting_seconds},
                      {"makespans", Json(point.makespans)},
                      {"wall_seconds", point.wall_seconds}});
  }
  Json json = {{"rehearse", version}, {"skeleton", report.skeleton}, {"seed", report.seed}};
  json["points"] = std::move(points);
  if (!report.support.empty()) json["support"] = support_json(report.support);
  json["crossings"] = Json(crossings(report));
  json["warnings"] = Json(report.warnings);
  json["complete"] = report.points.size() == report.points_wanted;
  return json;
}

std::string csv_head(const SweepRequest& request) {
  std::string head = fmt::format("# rehearse sweep {}\nplatform,ranks,", identity_of(request));
  for (const SweepAxis& axis : request.axes) head += quoted_field(axis.key) + ",";
  return head + "variability,replicas,mean,sd,ci95_low,ci95_high,quantile_low,median,quantile_high,compute_seconds,"
                "communication_seconds,waiting_seconds,wall_seconds,makespans\n";
}

std::string csv_line(const SweepPoint& point) {
  std::string line = fmt::format("{},{},", quoted_field(point.platform), point.ranks);
  for (const auto& [key, value] : point.parameters) line += quoted_field(value) + ",";
  const ConfidenceInterval interval = point.interval();
  const auto quantiles = point.quantiles();
  line += fmt::format("{},{},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},", name_of(point.variability),
                      point.makespans.size(), point.times.mean, point.times.deviation, interval.low, interval.high,
                      quantiles[0].second, quantiles[1].second, quantiles[2].second);
  line += fmt::format("{:.17g},{:.17g},{:.17g},{:.3f},", point.compute_seconds, point.communication_seconds,
                      point.waiting_seconds, point.wall_seconds);
  for (std::size_t i = 0; i < point.makespans.size(); ++i)
    line += fmt::format("{}{:.17g}", i == 0 ? "" : ";", point.makespans[i]);
  return line + "\n";
}

namespace {

// Nothing: the line is damaged.
std::optional<SweepPoint> point_of(const std::string& line, const SweepRequest& request) {
  const std::vector<std::string> fields = fields_of(line);
  const std::size_t axes = request.axes.size();
  if (fields.size() != fields_before + axes + fields_behind + 1) return std::nullopt;
  SweepPoint point;
  point.platform = fields[0];
  const auto ranks = number_of(fields[1]);
  if (!ranks || *ranks < 1) return std::nullopt;
  point.ranks = static_cast<std::uint32_t>(*ranks);
  for (std::size_t i = 0; i < axes; ++i) point.parameters.emplace_back(request.axes[i].key, fields[fields_before + i]);
  const std::string* behind = &fields[fields_before + axes];
  const auto variability = variability_of(behind[0]);
  const auto compute = number_of(behind[9]), communication = number_of(behind[10]), waiting = number_of(behind[11]),
             wall = number_of(behind[12]);
  if (!variability || !compute || !communication || !waiting || !wall) return std::nullopt;
  point.variability = *variability;
  point.compute_seconds = *compute;
  point.communication_seconds = *communication;
  point.waiting_seconds = *waiting;
  point.wall_seconds = *wall;
  std::string one;
  for (const char c : behind[13] + ";") {
    if (c != ';') {
      one += c;
      continue;
    }
    const auto seconds = number_of(one);
    if (!seconds) return std::nullopt;
    point.makespans.push_back(*seconds);
    one.clear();
  }
  point.times = statistics_of(point.makespans);
  return point;
}

}  // namespace

Result<std::vector<SweepPoint>> read_sweep_csv(const std::string& file, const SweepRequest& request) {
  const auto text = read_file(file);
  if (!text) return Error{fmt::format("--resume: '{}' cannot be read", file)};
  const std::string head = csv_head(request);
  if (!text->starts_with(head))
    return Error{
        fmt::format("--resume: '{}' is not of this sweep: skeleton, seed, replicas or other options differ", file)};
  std::vector<SweepPoint> points;
  std::size_t begin = head.size(), number = 3;
  for (std::size_t end = text->find('\n', begin); end != std::string::npos;
       begin = end + 1, end = text->find('\n', begin), ++number) {
    auto point = point_of(text->substr(begin, end - begin), request);
    if (!point) return Error{fmt::format("--resume: {}:{}: the line is damaged; remove it", file, number)};
    points.push_back(std::move(*point));
  }
  return points;
}

// ---- comparisons

namespace {

// The points of one curve by number of ranks.
using Curve = std::map<std::uint32_t, const SweepPoint*>;

TimeComparison compare_points(const SweepPoint& one, const SweepPoint& other) {
  const auto seeded = [](const SweepPoint& point) {
    SeededTimes times{std::vector<std::uint64_t>(point.makespans.size()), point.makespans};
    std::iota(times.seeds.begin(), times.seeds.end(), 0);
    return times;
  };
  return compare_times(seeded(one), seeded(other));
}

void add_crossings(const std::string& first, const Curve& one, const std::string& second, const Curve& other,
                   std::vector<std::string>& texts) {
  int before = 0;  // sign of the last difference
  for (auto at = one.begin(); at != one.end(); ++at) {
    const auto there = other.find(at->first);
    if (there == other.end()) continue;
    const double difference = there->second->times.mean - at->second->times.mean;
    const int sign = difference > 0 ? 1 : difference < 0 ? -1 : 0;
    if (sign != 0 && before != 0 && sign != before) {
      const std::string& faster = sign > 0 ? first : second;
      std::string text =
          fmt::format("{} is faster than {} from {} ranks on", faster, sign > 0 ? second : first, at->first);
      const auto wanted = sign > 0 ? TimeVerdict::first_faster : TimeVerdict::second_faster;
      for (auto later = at; later != one.end(); ++later) {
        const auto its = other.find(later->first);
        if (its == other.end() || compare_points(*later->second, *its->second).verdict != wanted) continue;
        text += fmt::format(", with 95 % confidence from {} ranks on", later->first);
        break;
      }
      texts.push_back(text);
    }
    if (sign != 0) before = sign;
  }
}

}  // namespace

std::vector<std::string> crossings(const SweepReport& report) {
  std::map<std::string, Curve> curves;  // by name
  std::vector<std::string> names;
  std::map<std::string, manynode::Variability> variability;
  for (const SweepPoint& point : report.points) {
    // Platforms that are named by their number of hosts are one curve.
    std::string name = point.platform;
    const std::string own = fmt::format("cluster:{}", point.ranks);
    if (name == own) name = "cluster:N";
    for (const auto& [key, value] : point.parameters) name += fmt::format(", {} {}", key, value);
    const std::string full = name + " (" + std::string(name_of(point.variability)) + ")";
    if (!curves.contains(full)) names.push_back(full);
    curves[full][point.ranks] = &point;
    variability[full] = point.variability;
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j)
      if (variability[names[i]] == variability[names[j]])
        add_crossings(names[i], curves[names[i]], names[j], curves[names[j]], texts);
  return texts;
}

}  // namespace rehearse::app
