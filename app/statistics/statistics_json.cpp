// SPDX-License-Identifier: MIT
//
// Statistics as JSON (docs/schemas/statistics.schema.json).
#include "app/statistics.hpp"

namespace rehearse::app {
namespace {

Json json_of(const LinkStatistics& link, const Platform& platform) {
  Json json = {{"name", platform.link(link.link).name},
               {"packets", link.packets},
               {"bytes", link.bytes},
               {"utilisation", link.utilisation},
               {"drops", link.drops},
               {"losses", link.losses},
               {"marks", link.marks},
               {"pauses", link.pauses},
               {"mean_queue_bytes", link.mean_queue_bytes},
               {"longest_queue_bytes", link.longest_queue_bytes},
               {"longest_queue_at", link.longest_at_seconds},
               {"full_seconds", link.full_seconds},
               {"queue_histogram", Json::array()}};
  for (const QueueTime& time : link.histogram)
    json["queue_histogram"].push_back({{"up_to_bytes", time.up_to_bytes}, {"seconds", time.seconds}});
  return json;
}

Json json_of(const ConnectionStatistics& connection, const Platform& platform) {
  const bool is_measured = connection.round_trips > 0, has_window = connection.window_max > 0;
  const auto optional = [](bool exists, double value) { return exists ? Json(value) : Json(nullptr); };
  return {{"name", connection.name},
          {"source", platform.host(connection.source).name},
          {"destination", platform.host(connection.destination).name},
          {"messages", connection.messages},
          {"bytes", connection.bytes},
          {"envelopes", connection.envelopes},
          {"goodput", connection.goodput},
          {"retransmissions", connection.retransmissions},
          {"fast_recoveries", connection.recoveries},
          {"timeouts", connection.timeouts},
          {"drops", connection.drops},
          {"round_trip",
           {{"measurements", connection.round_trips},
            {"min_seconds", optional(is_measured, connection.round_trip_min)},
            {"mean_seconds", optional(is_measured, connection.round_trip_mean)},
            {"p99_seconds", optional(is_measured, connection.round_trip_p99)}}},
          {"window",
           {{"max_bytes", optional(has_window, connection.window_max)},
            {"mean_bytes", optional(has_window, connection.window_mean)}}},
          {"busy_seconds", connection.busy_seconds},
          {"sending_seconds", connection.sending_seconds},
          {"stalled",
           {{"window_seconds", connection.stalled_window_seconds},
            {"network_seconds", connection.stalled_network_seconds},
            {"peer_seconds", connection.stalled_peer_seconds}}},
          {"timer_wait_seconds", connection.timer_wait_seconds}};
}

const char* kind_name(TransferKind kind) {
  if (kind == TransferKind::announcement) return "announcement";
  return kind == TransferKind::answer ? "answer" : "data";
}

Json json_of(const MessageStatistics& message) {
  return {{"connection", message.connection},
          {"kind", kind_name(message.kind)},
          {"status", message.has_failed ? "failed" : "done"},
          {"bytes", message.bytes},
          {"start", message.start},
          {"end", message.end},
          {"ideal_seconds", message.ideal_seconds},
          {"slow_down", message.slow_down()},
          {"timer_wait_seconds", message.timer_wait_seconds}};
}

Json json_of(const Percentiles& of) { return {{"p50", of.p50}, {"p95", of.p95}, {"p99", of.p99}}; }

Json json_of(const MessageClass& size) {
  return {{"up_to_bytes", size.up_to_bytes ? Json(*size.up_to_bytes) : Json(nullptr)},
          {"messages", size.messages},
          {"bytes", size.bytes},
          {"seconds", json_of(size.seconds)},
          {"slow_down", json_of(size.slow_down)}};
}

Json json_of(const Series& series) {
  Json json = {{"name", series.subject}, {"quantity", series.quantity}, {"points", Json::array()}};
  for (const SeriesPoint& point : series.points) {
    if (point.least == point.greatest) json["points"].push_back(Json::array({point.seconds, point.value}));
    else json["points"].push_back(Json::array({point.seconds, point.value, point.least, point.greatest}));
  }
  return json;
}

}  // namespace

Json to_json(const NetworkStatistics& statistics, const Platform& platform, bool has_series) {
  Json json = {{"end", statistics.end_seconds},
               {"links", Json::array()},
               {"connections", Json::array()},
               {"messages", Json::array()},
               {"messages_more", statistics.messages_more},
               {"message_classes", Json::array()}};
  for (const LinkStatistics& link : statistics.links) json["links"].push_back(json_of(link, platform));
  for (const ConnectionStatistics& each : statistics.connections)
    json["connections"].push_back(json_of(each, platform));
  for (const MessageStatistics& message : statistics.messages) json["messages"].push_back(json_of(message));
  for (const MessageClass& size : statistics.classes) json["message_classes"].push_back(json_of(size));
  if (!has_series) return json;
  json["series"] = Json::array();
  for (const Series& series : statistics.series) json["series"].push_back(json_of(series));
  return json;
}

}  // namespace rehearse::app
