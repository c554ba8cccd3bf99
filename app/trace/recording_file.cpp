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

// The facts that each recording has.
struct RecordedRun {
  const Job& job;
  const MachineOptions& options;
  const Machine& machine;
  std::uint64_t eager_bytes = 0;
  Handshake handshake{};
  double combine_flops_per_byte = 0;
};

Json options_of(const RecordedRun& recorded) {
  const MachineOptions& options = recorded.options;
  Json models = Json::object();
  for (const auto& [name, value] : options.models.values) models[name] = value;
  return {{"on", options.on},
          {"models", std::move(models)},
          {"network_file", options.models.file},
          {"collectives", recorded.machine.algorithms},
          {"hostfile", options.hostfile},
          {"compute", options.compute.what},
          {"compute_scale", options.compute.scale},
          {"instruction_rate", options.compute.instructions_per_second},
          {"eager_bytes", recorded.eager_bytes},
          {"handshake", recorded.handshake == Handshake::answered ? "answered" : "announced"},
          {"message_costs", !recorded.machine.protocol.costs.are_none()},
          {"reduction_flops", recorded.combine_flops_per_byte}};
}

Json about(const RecordedRun& recorded) {
  const Job& job = recorded.job;
  Json programs = Json::array();
  programs.push_back({{"first_rank", 0u}, {"program", job.path}, {"arguments", job.arguments}});
  for (const Job::Further& other : job.others)
    programs.push_back({{"first_rank", other.first_rank}, {"program", other.path}, {"arguments", other.arguments}});
  return {{"recorder", "rehearse " + std::string(version)},
          {"ranks", job.ranks},
          {"programs", std::move(programs)},
          {"platform", recorded.machine.platform.name()},
          {"hosts", recorded.machine.platform.hosts().size()},
          {"network", recorded.machine.network},
          {"reference_flops", EngineOptions{}.reference_flops},
          {"options", options_of(recorded)}};
}

}  // namespace

std::string about_recording(const RunRequest& request, const Machine& machine) {
  Json json = about({request.job, request.machine, machine, machine.protocol.eager_bytes, machine.protocol.handshake,
                     request.combine_flops_per_byte});
  if (!request.schedule.empty()) json["schedule"] = to_text(request.schedule);
  return json.dump();
}

std::string about_recording(const ReplayRequest& request, const EngineOptions& engine, const Machine& machine) {
  const Counterexample& of = request.counterexample;
  Json json = about(
      {job_of(of), request.machine, machine, engine.eager_bytes, engine.handshake, engine.combine_flops_per_byte});
  json["finding"] = of.finding.id.text();
  json["policy"] = to_text(of.policy);
  json["schedule"] = to_text(of.finding.witness);
  return json.dump();
}

std::string about_end_of(const TimedRun& run) {
  Json json = Json::object();
  const DataMark mark = run.data();
  if (mark.is_needed()) json["data"] = mark.words();
  if (mark.left_out > 0) json["executions_left_out"] = mark.left_out;
  if (mark.is_folded) json["folded"] = true;
  if (run.load && run.load->has_other_load()) json["core_part"] = run.load->core_part();
  else if (run.load && run.load->has_slow_core()) json["slow_core"] = true;
  return json.empty() ? std::string() : json.dump();
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
