// SPDX-License-Identifier: MIT
//
// A run under a model as JSON, for reports and for the way from the child process.
#include "app/model_comparison.hpp"

namespace rehearse::app {

Json to_json(const ModelRun& run) {
  Json json = {{"model", run.label}, {"network", run.network}, {"exit_status", run.exit_status}};
  json["platform"] = run.platform;
  json["ranks"] = run.ranks;
  if (!run.finding.empty()) json["finding"] = run.finding;
  if (!run.has_run()) {
    json["problem"] = run.problem;
    return json;
  }
  json["simulated_seconds"] = run.simulated_seconds;
  json["wall_seconds"] = run.wall_seconds;
  json["call_seconds"] = run.call_seconds;
  if (run.has_packets)
    json["packets"] = {{"packet_hops", run.packet_hops},
                       {"retransmissions", run.retransmissions},
                       {"timeouts", run.timeouts}};
  json["calls"] = Json::array();
  for (const ComparedCall& call : run.calls)
    json["calls"].push_back({{"call", call.call},
                             {"place", call.place},
                             {"collective", call.is_collective},
                             {"times", call.times},
                             {"seconds", call.seconds}});
  json["phases"] = Json::array();
  for (const ComparedPhase& phase : run.phases)
    json["phases"].push_back({{"end", phase.end}, {"times", phase.times}, {"seconds", phase.seconds}});
  json["links"] = Json::array();
  for (const ComparedLink& link : run.links) {
    Json each = {{"name", link.name}, {"bytes", link.bytes}, {"use", link.use}};
    if (run.has_packets) {
      each["drops"] = link.drops;
      each["losses"] = link.losses;
      each["marks"] = link.marks;
      each["pauses"] = link.pauses;
      each["longest_queue_bytes"] = link.longest_queue_bytes;
    }
    json["links"].push_back(std::move(each));
  }
  return json;
}

ModelRun model_run_from(const Json& json) {
  ModelRun run;
  run.label = json["model"].get<std::string>();
  run.network = json["network"].get<std::string>();
  run.platform = json["platform"].get<std::string>();
  run.ranks = json["ranks"].get<std::uint64_t>();
  run.exit_status = json["exit_status"].get<int>();
  run.finding = json.value("finding", std::string());
  run.problem = json.value("problem", std::string());
  if (!run.has_run()) return run;
  run.simulated_seconds = json["simulated_seconds"].get<double>();
  run.wall_seconds = json["wall_seconds"].get<double>();
  run.call_seconds = json["call_seconds"].get<double>();
  if (const Json* packets = json.find("packets")) {
    run.has_packets = true;
    run.packet_hops = (*packets)["packet_hops"].get<std::uint64_t>();
    run.retransmissions = (*packets)["retransmissions"].get<std::uint64_t>();
    run.timeouts = (*packets)["timeouts"].get<std::uint64_t>();
  }
  for (const Json& call : json["calls"])
    run.calls.push_back({call["call"].get<std::string>(), call["place"].get<std::string>(),
                         call["collective"].get<bool>(), call["times"].get<std::uint64_t>(),
                         call["seconds"].get<double>()});
  for (const Json& phase : json["phases"])
    run.phases.push_back(
        {phase["end"].get<std::string>(), phase["times"].get<std::uint64_t>(), phase["seconds"].get<double>()});
  for (const Json& link : json["links"]) {
    const auto count = [&link](const char* key) { return link.value(key, std::uint64_t{0}); };
    run.links.push_back({link["name"].get<std::string>(), link["bytes"].get<double>(), link["use"].get<double>(),
                         count("drops"), count("losses"), count("marks"), count("pauses"),
                         count("longest_queue_bytes")});
  }
  return run;
}

}  // namespace rehearse::app
