// SPDX-License-Identifier: MIT
//
// See recording_file.hpp.
#include "app/trace/recording_file.hpp"

#include <utility>

#include "app/json.hpp"
#include "app/version.hpp"
#include "smpi/abi.hpp"

namespace rehearse::app {
namespace {

Json options_of(const RunRequest& request, const Machine& machine) {
  Json models = Json::object();
  for (const auto& [name, value] : request.machine.models.values) models[name] = value;
  return {{"on", request.machine.on},
          {"models", std::move(models)},
          {"network_file", request.machine.models.file},
          {"collectives", machine.algorithms},
          {"hostfile", request.machine.hostfile},
          {"compute", request.machine.compute.what},
          {"compute_scale", request.machine.compute.scale},
          {"instruction_rate", request.machine.compute.instructions_per_second},
          {"eager_bytes", machine.protocol.eager_bytes},
          {"handshake", machine.protocol.handshake == Handshake::answered ? "answered" : "announced"},
          {"message_costs", !machine.protocol.costs.are_none()},
          {"reduction_flops", request.combine_flops_per_byte}};
}

}  // namespace

std::string about_recording(const RunRequest& request, const Machine& machine) {
  Json programs = Json::array();
  programs.push_back({{"first_rank", 0u}, {"program", request.job.path}, {"arguments", request.job.arguments}});
  for (const Job::Further& other : request.job.others)
    programs.push_back({{"first_rank", other.first_rank}, {"program", other.path}, {"arguments", other.arguments}});
  const Json about = {{"recorder", "rehearse " + std::string(version)},
                      {"ranks", request.job.ranks},
                      {"programs", std::move(programs)},
                      {"platform", machine.platform.name()},
                      {"hosts", machine.platform.hosts().size()},
                      {"network", machine.network},
                      {"reference_flops", EngineOptions{}.reference_flops},
                      {"options", options_of(request, machine)}};
  return about.dump();
}

std::string about_end_of(const TimedRun& run) {
  const DataMark mark = run.data();
  if (!mark.is_needed()) return {};
  Json json = {{"data", mark.words()}};
  if (mark.left_out > 0) json["executions_left_out"] = mark.left_out;
  if (mark.is_folded) json["folded"] = true;
  return json.dump();
}

DataMark mark_in(const std::string& about) {
  const auto json = parse_json(about);
  if (!json || !json.value().is_object()) return {};
  const Json* number = json.value().find("executions_left_out");
  const Json* folded = json.value().find("folded");
  return {number != nullptr && number->is_number_unsigned() ? number->get<std::uint64_t>() : 0,
          folded != nullptr && folded->is_boolean() && folded->get<bool>()};
}

trace::CallPlace place_of_call(const smpi::LoadedProgram& program, std::uint64_t site) {
  const smpi::CalledAt at = program.called_at(site);
  trace::CallPlace place{"", at.frame.function, at.frame.file, at.frame.line};
  if (at.function > 0) place.call = smpi::functions()[at.function - 1].name;
  return place;
}

}  // namespace rehearse::app
