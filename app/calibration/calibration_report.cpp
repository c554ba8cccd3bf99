// SPDX-License-Identifier: MIT
//
// See calibration_report.hpp.
#include "app/calibration/calibration_report.hpp"

#include <cmath>

#include "app/version.hpp"

namespace rehearse::app {
namespace {

Json overhead_json(const std::vector<SizeCost::Piece>& pieces) {
  Json json = Json::array();
  for (const SizeCost::Piece& piece : pieces)
    json.push_back(
        {{"from", piece.from_bytes}, {"seconds", piece.seconds}, {"seconds_per_byte", piece.seconds_per_byte}});
  return json;
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json protocol_json(const CalibrationParts& parts) {
  const MessageModel& model = parts.network.model;
  Json json = {{"eager_bytes", finite_or_null(parts.threshold.largest_eager)},
               {"least_waiting_bytes", finite_or_null(parts.threshold.least_waiting)},
               {"largest_measured_bytes", parts.threshold.largest_measured},
               {"handshake", model.handshake == Handshake::answered ? "answered" : "announced"}};
  json["send"] = overhead_json(model.send);
  json["isend"] = overhead_json(model.started_send);
  json["recv"] = overhead_json(model.receive);
  return json;
}

Json network_json(const CalibrationParts& parts) {
  const MessageModel& model = parts.network.model;
  Json json = {{"latency", model.latency},
               {"bandwidth", model.bandwidth},
               {"envelope", model.envelope_bytes},
               {"frame", model.frame_bytes}};
  json["pieces"] = Json::array();
  for (const WirePiece& piece : model.pieces)
    json["pieces"].push_back({{"above", piece.above_bytes},
                              {"latency_factor", piece.latency_factor},
                              {"latency_error", piece.latency_error},
                              {"bandwidth_factor", piece.bandwidth_factor},
                              {"bandwidth_error", piece.bandwidth_error},
                              {"sizes", piece.points}});
  json["contention"] = Json::array();
  for (const LinkContention& piece : parts.network.contention)
    json["contention"].push_back({{"flows", piece.flows},
                                  {"factor", piece.factor},
                                  {"least", piece.least},
                                  {"greatest", piece.greatest},
                                  {"estimates", piece.estimates}});
  json["cross_traffic"] = parts.network.cross_traffic ? Json(*parts.network.cross_traffic) : Json();
  json["loopback"] = Json();
  if (const auto& loopback = parts.network.loopback)
    json["loopback"] = {{"latency", loopback->latency},
                        {"bandwidth", loopback->bandwidth},
                        {"mean_error", loopback->relative_error}};
  return json;
}

Json points_json(const CalibrationParts& parts) {
  Json json = Json::array();
  for (std::size_t i = 0; i < parts.half_round_trips.size(); ++i) {
    const SizePoint& point = parts.half_round_trips[i];
    json.push_back({{"bytes", point.bytes},
                    {"measured", point.seconds},
                    {"fitted", parts.network.model.half_round_trip(point.bytes)},
                    {"cross_validated", parts.cross_validated[i]},
                    {"spread", point.quartile_spread},
                    {"repetitions", point.repetitions},
                    {"outliers", point.outliers}});
  }
  return json;
}

Json errors_json(const std::vector<ErrorFigures>& all) {
  Json json = Json::array();
  for (const ErrorFigures& figures : all)
    json.push_back({{"model", figures.name},
                    {"cases", figures.cases},
                    {"mean", figures.mean},
                    {"greatest", figures.greatest},
                    {"logarithmic", figures.logarithmic}});
  return json;
}

Json test_json(const Measurements& all, const std::string& test, Statistic statistic) {
  Json json = Json::array();
  for (const std::uint32_t ranks : ranks_of(all, test))
    for (const SizePoint& point : size_points(all, test, statistic, ranks))
      json.push_back(
          {{"ranks", ranks}, {"bytes", point.bytes}, {"seconds", point.seconds}, {"spread", point.quartile_spread}});
  return json;
}

}  // namespace

Json report_of(const CalibrationParts& parts, const Measurements& all) {
  Json json = {{"rehearse", version}, {"about", parts.network.about}, {"statistic", name_of(parts.statistic)}};
  json["nodes"] = Json(all.nodes());
  json["ranks"] = all.hosts.size();
  json["protocol"] = protocol_json(parts);
  json["network"] = network_json(parts);
  json["points"] = points_json(parts);
  json["errors"] = errors_json(parts.point_errors);
  json["contention_errors"] = errors_json(parts.contention_errors);
  json["tests"] = Json::object();
  for (const char* test : {"send", "isend", "recv", "late_send", "late_delay", "sendrecv", "pairs", "incast",
                           "alltoall", "loopback_pingpong"})
    if (all.has(test)) json["tests"][test] = test_json(all, test, parts.statistic);
  json["calls"] = Json::object();
  for (const auto& [name, seconds] : parts.calls) json["calls"][name] = seconds;
  json["compute"] = Json::array();
  for (const ComputeRate& rate : parts.rates)
    json["compute"].push_back({{"kernel", rate.kernel},
                               {"host", rate.host},
                               {"rate", rate.rate},
                               {"unit", unit_of(rate.kernel)},
                               {"spread", rate.quartile_spread}});
  json["compute_scale"] = Json::object();
  for (const ComputeScale& scale : parts.scales) json["compute_scale"][scale.kernel] = scale.scale;
  return json;
}

}  // namespace rehearse::app
