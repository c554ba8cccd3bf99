// SPDX-License-Identifier: MIT
//
// From measurements to a calibration: the order of the fits.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/calibration.hpp"
#include "app/calibration/calibrated_network.hpp"
#include "app/calibration/calibration_report.hpp"
#include "app/calibration/frame_choice.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

std::string about_key(const Measurements& all, const std::string& key) {
  const auto found = all.about.find(key);
  return found == all.about.end() ? "unknown" : found->second;
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

// The hosts of the platform for the nodes: those of the same names, otherwise in order.
Result<std::vector<HostId>> hosts_for(const std::vector<std::string>& nodes, const Platform& platform,
                                      const std::string& file) {
  std::vector<HostId> hosts;
  for (const std::string& node : nodes)
    if (const auto host = platform.find_host(node)) hosts.push_back(*host);
  if (hosts.size() == nodes.size()) return hosts;
  if (platform.hosts().size() < nodes.size())
    return Error{fmt::format("{}: {} hosts for {} measured nodes; accepted: at least as many hosts as nodes", file,
                             platform.hosts().size(), nodes.size())};
  hosts.clear();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) hosts.push_back({i});
  return hosts;
}

std::size_t node_index(const std::vector<std::string>& nodes, const std::string& host) {
  return static_cast<std::size_t>(std::ranges::find(nodes, host) - nodes.begin());
}

// Latency and bandwidth of the route between the partners, and the host of each rank.
Result<void> take_route(const std::string& file, const Measurements& all, MessageModel& model,
                        std::vector<std::string>& host_of_rank) {
  auto platform = make_platform(file);
  if (!platform) return platform.error();
  const std::vector<std::string> nodes = all.nodes();
  auto hosts = hosts_for(nodes, platform.value(), file);
  if (!hosts) return hosts.error();
  for (const std::string& host : all.hosts)
    host_of_rank.push_back(platform.value().host(hosts.value()[node_index(nodes, host)]).name);
  if (nodes.size() < 2)
    return Error{fmt::format("{}: the measurements are of one node; accepted with --on: of two nodes or more", file)};
  const HostId from = hosts.value()[0], to = hosts.value()[1];  // calibrate.c: the first rank of another node
  const auto route = platform.value().find_route(from, to);
  if (!route)
    return Error{fmt::format("{}: no route from {} to {}", file, platform.value().host(from).name,
                             platform.value().host(to).name)};
  model.latency = route->latency_seconds;
  model.bandwidth = std::numeric_limits<double>::infinity();
  double seconds_per_byte = 0;
  for (const LinkId link : route->links) {
    const double bandwidth = platform.value().link(link).bytes_per_second;
    model.bandwidth = std::min(model.bandwidth, bandwidth);
    seconds_per_byte += 1 / bandwidth;
  }
  model.further_links = model.bandwidth * seconds_per_byte - 1;
  if (model.latency <= 0 || route->links.empty())
    return Error{
        fmt::format("{}: the route from {} to {} has latency {:.6g} s; accepted: a latency above 0, because it "
                    "gets a factor",
                    file, platform.value().host(from).name, platform.value().host(to).name, model.latency)};
  return {};
}

Result<Measurements> read_here(const CalibrationRequest& request) {
  if (request.here.empty()) return Measurements{};
  return read_measurement_files({request.here});
}

// Whether any test of messages is there: a file may contain computation only.
bool has_messages(const Measurements& all) { return all.has("pingpong"); }

Result<void> fit_network(const Measurements& all, const CalibrationRequest& request, CalibrationParts& parts,
                         std::vector<std::string>& host_of_rank) {
  MessageModel& model = parts.network.model;
  model.envelope_bytes = calibrated_envelope_bytes;
  parts.half_round_trips = size_points(all, "pingpong", parts.statistic);
  if (parts.half_round_trips.size() < 8)
    return Error{fmt::format("{}: {} sizes of pingpong; accepted: 8 or more", request.files.front(),
                             parts.half_round_trips.size())};
  for (const SizePoint& point : parts.half_round_trips)
    if (point.seconds <= 0)
      return Error{fmt::format("{}: pingpong of {:.0f} bytes has 0 seconds; accepted: more than 0",
                               request.files.front(), point.bytes)};
  auto threshold = find_eager_threshold(all);
  if (!threshold) return Error{request.files.front() + ": " + threshold.error().text};
  parts.threshold = threshold.value();
  model.eager_bytes = parts.threshold.largest_eager;
  model.handshake = find_handshake(parts.half_round_trips, model.eager_bytes);
  MessageOverheads overheads = fit_overheads(all, parts.statistic, model.eager_bytes, parts.half_round_trips);
  parts.refused = std::move(overheads.refused);
  model.send = std::move(overheads.send);
  model.started_send = std::move(overheads.started_send);
  model.receive = std::move(overheads.receive);
  model.further_links = 1;  // a star
  if (!request.on.empty()) {
    if (const auto taken = take_route(request.on, all, model, host_of_rank); !taken) return taken.error();
  }
  parts.flows = flows_at_once(all, parts.statistic);
  fit_frames_and_pieces(model, {parts.half_round_trips, parts.flows});
  parts.cross_validated = cross_validated(model, parts.half_round_trips, request.folds);
  adjust_empty_messages(model, parts.half_round_trips);
  parts.point_errors = point_to_point_errors(model, parts.half_round_trips, parts.cross_validated);
  parts.network.contention = fit_contention(model, parts.flows);
  parts.contention_errors = contention_errors(model, parts.network.contention, parts.flows);
  parts.network.cross_traffic = fit_cross_traffic(model, size_points(all, "sendrecv", parts.statistic));
  parts.network.loopback = fit_loopback(model, size_points(all, "loopback_pingpong", parts.statistic));
  parts.network.about = fmt::format("{}, {}, {} ranks on {}, cross-validated error {:.2f} %", about_key(all, "date"),
                                    about_key(all, "library"), all.hosts.size(), joined_names(all.nodes()),
                                    100 * parts.point_errors.back().mean);
  return {};
}

std::vector<std::string> warnings_of(const CalibrationParts& parts, const Measurements& all) {
  std::vector<std::string> warnings;
  if (all.nodes().size() < 2)
    warnings.emplace_back("all ranks ran on one node: the platform has the times of messages inside of it");
  if (!std::isfinite(parts.threshold.largest_eager))
    warnings.push_back(fmt::format("no message up to {:.0f} bytes waited for its receive: all messages are eager",
                                   parts.threshold.largest_measured));
  if (!parts.threshold.contradictory.empty())
    warnings.push_back(
        fmt::format("late_send: repetitions of {} sizes contradict the eager threshold, first {:.0f} bytes",
                    parts.threshold.contradictory.size(), parts.threshold.contradictory.front()));
  for (const std::string& test : parts.refused)
    warnings.push_back(test + ": most times are above half of a half round trip, so they contain the transfer; no such "
                              "overhead is written");
  double noisiest = 0, at = 0;
  for (const SizePoint& point : parts.half_round_trips)
    if (point.quartile_spread > noisiest) noisiest = point.quartile_spread, at = point.bytes;
  if (noisiest > 0.5)
    warnings.push_back(fmt::format("pingpong of {:.0f} bytes: half of the repetitions spread over {:.0f} % of the "
                                   "median; repeat the measurement on quiet nodes",
                                   at, 100 * noisiest));
  return warnings;
}

std::vector<VerifiedCase> cases_of(const Measurements& all, Statistic statistic) {
  std::vector<VerifiedCase> cases;
  for (const char* test : {"pingpong", "sendrecv", "pairs", "incast", "alltoall", "loopback_pingpong"})
    for (const std::uint32_t ranks : ranks_of(all, test))
      for (const SizePoint& point : size_points(all, test, statistic, ranks))
        cases.push_back({test, ranks, static_cast<std::uint64_t>(point.bytes), point.seconds, 0});
  return cases;
}

Result<double> speed_of(const CalibrationRequest& request, const CalibrationParts& parts) {
  constexpr double as_here = 1e10;
  if (request.speed_kernel.empty()) return as_here;
  std::string names;
  for (const ComputeRate& rate : parts.rates) {
    if (rate.kernel == request.speed_kernel) return rate.rate;
    names += (names.empty() ? "" : ", ") + rate.kernel;
  }
  return Error{fmt::format("--speed {}: no such kernel was measured; accepted: {}", request.speed_kernel,
                           names.empty() ? "measurements with --compute" : names)};
}

// The platform's text: that of the given file, or a star.
Result<std::string> platform_text(const CalibrationRequest& request, const CalibrationParts& parts,
                                  const Measurements& all) {
  if (!request.on.empty()) return text_with_settings(request.on, settings_of(parts.network));
  const auto speed = speed_of(request, parts);
  if (!speed) return speed.error();
  StarShape shape;
  const std::vector<std::string> nodes = all.nodes();
  shape.nodes = std::max<std::uint32_t>(2, static_cast<std::uint32_t>(nodes.size()));
  for (const std::string& node : nodes)
    shape.cores = std::max(shape.cores, static_cast<std::uint32_t>(std::ranges::count(all.hosts, node)));
  shape.flops_per_second = speed.value();
  return star_with_settings(shape, parts.network);
}

// Of a single node, each rank gets a host: its messages were measured as if they were between two.
std::vector<std::string> hosts_of_star(const Measurements& all) {
  std::vector<std::string> hosts;
  const std::vector<std::string> nodes = all.nodes();
  for (std::size_t rank = 0; rank < all.hosts.size(); ++rank)
    hosts.push_back(
        fmt::format("node-{}", nodes.size() < 2 ? std::min<std::size_t>(rank, 1) : node_index(nodes, all.hosts[rank])));
  return hosts;
}

void take_arguments(const Measurements& all, Calibration& result) {
  std::istringstream words(all.about.contains("arguments") ? all.about.at("arguments") : "");
  for (std::string word; words >> word;) result.arguments.push_back(word);
}

}  // namespace

Result<Calibration> calibrate(const CalibrationRequest& request) {
  CalibrationParts parts;
  const auto statistic = parse_statistic(request.statistic);
  if (!statistic)
    return Error{fmt::format("--statistic: '{}' given; accepted: minimum, p10, median", request.statistic)};
  parts.statistic = *statistic;
  auto read = read_measurement_files(request.files);
  if (!read) return read.error();
  auto here = read_here(request);
  if (!here) return here.error();
  const Measurements& all = read.value();
  parts.rates = compute_rates(all, parts.statistic);
  parts.scales = compute_scales(parts.rates, compute_rates(here.value(), parts.statistic));
  for (const char* call : {"probe", "test", "wtime"})
    if (const auto points = size_points(all, call, parts.statistic); !points.empty())
      parts.calls.emplace_back(call, points.front().seconds);
  Calibration result;
  if (!has_messages(all) && parts.rates.empty())
    return Error{request.files.front() + ": no measurements of pingpong; accepted: the output of calibrate.c"};
  if (all.hosts.empty()) return Error{request.files.front() + ": no line '# host 0: NAME'"};
  result.ranks = static_cast<std::uint32_t>(all.hosts.size());
  if (!has_messages(all)) {
    result.report = report_of(parts, all);
    return result;
  }
  if (const auto done = fit_network(all, request, parts, result.hosts); !done) return done.error();
  auto text = platform_text(request, parts, all);
  if (!text) return text.error();
  if (result.hosts.empty()) result.hosts = hosts_of_star(all);
  result.platform = std::move(text.value());
  result.report = report_of(parts, all);
  result.warnings = warnings_of(parts, all);
  result.measured = cases_of(all, parts.statistic);
  take_arguments(all, result);
  return result;
}

}  // namespace rehearse::app
