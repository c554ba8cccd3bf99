// SPDX-License-Identifier: MIT
//
// Writing and reading counter-examples.
#include "app/counterexample.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "app/explanation_json.hpp"
#include "app/launch.hpp"
#include "app/output_file.hpp"
#include "app/version.hpp"
#include "simcore/schedule.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"

namespace rehearse::app {
namespace {

constexpr int format_version = 2;

Result<std::string> text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{path + ": cannot read: " + std::strerror(errno)};
  std::string content{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) return Error{path + ": cannot read: " + std::strerror(errno)};
  return content;
}

// A replay needs the same checks: reports are operations, which a schedule numbers.
Json checks_to_json(const smpi::BufferChecks& buffers) {
  return {{"room", buffers.room},         {"types", buffers.types},          {"overlaps", buffers.overlaps},
          {"accesses", buffers.accesses}, {"lifetimes", buffers.lifetimes},  {"content_bytes", buffers.content_bytes},
          {"commits", buffers.commits},   {"truncation", buffers.truncation}};
}

// A key that is missing in files of earlier versions has the behaviour of those versions.
smpi::BufferChecks buffers_from_json(const Json& json) {
  smpi::BufferChecks checks;
  checks.room = json.at("room");
  checks.overlaps = json.at("overlaps");
  checks.accesses = json.at("accesses");
  checks.content_bytes = json.at("content_bytes");
  checks.lifetimes = json.value("lifetimes", false);
  checks.types = json.value("types", false);
  checks.commits = json.value("commits", true);
  checks.truncation = json.value("truncation", true);
  return checks;
}

Result<ComputeOptions> compute_from_json(const Json& options) {
  ComputeOptions compute;
  compute.what = options.at("compute");
  compute.scale = options.at("compute_scale");
  compute.instructions_per_second = options.at("instruction_rate");
  if (compute.what != "measured" && compute.what != "instructions" && compute.what != "none")
    return Error{"compute: '" + compute.what + "' given; accepted: measured, instructions, none"};
  for (const auto& [name, value] :
       {std::pair("compute_scale", compute.scale), std::pair("instruction_rate", compute.instructions_per_second)})
    if (!(value > 0)) return Error{std::string(name) + ": " + Json(value).dump() + " given; accepted: more than 0"};
  return compute;
}

PredictedTime predicted_from_json(const Json& json) {
  PredictedTime time;
  time.platform = json.at("platform");
  if (!json.at("seconds").is_null()) time.seconds = json.at("seconds").get<double>();
  return time;
}

Json programs_to_json(const std::vector<Job::Further>& others) {
  Json json = Json::array();
  for (const Job::Further& other : others)
    json.push_back({{"first_rank", other.first_rank}, {"program", other.path}, {"arguments", other.arguments}});
  return json;
}

std::vector<Job::Further> others_from_json(const Json& json) {
  std::vector<Job::Further> others;
  for (const Json& other : json) others.push_back({other.at("first_rank"), other.at("program"), other.at("arguments")});
  return others;
}

// The name of each rank's node.
Json names_to_json(const smpi::NodeMap& nodes, std::uint32_t ranks) {
  Json json = Json::array();
  for (std::uint32_t rank = 0; rank < ranks; ++rank) json.push_back(nodes.name_of(rank));
  return json;
}

Result<smpi::NodeMap> nodes_from_json(const Json& json, std::uint32_t ranks) {
  const auto names = json.get<std::vector<std::string>>();
  if (names.size() != ranks)
    return Error{fmt::format("{} names given; accepted: {}, one for each rank", names.size(), ranks)};
  return nodes_of(names);
}

Result<int> version_of(const std::string& file, const Json& json) {
  if (!json.is_object() || !json.contains("rehearse_counterexample")) {
    return Error{file + ": not a counter-example: no key 'rehearse_counterexample'"};
  }
  const Json& given = json["rehearse_counterexample"];
  if (given != 1 && given != format_version)
    return Error{fmt::format("{}: format {}; accepted: 1 and {}", file, given.dump(), format_version)};
  return given.get<int>();
}

Json steps_to_json(const Counterexample& counterexample) {
  Json steps = Json::array();
  for (const ActorStep& step : counterexample.steps) {
    Json& json = steps.emplace_back(Json{{"step", step.text}});
    if (!step.instead.empty()) json["instead_of"] = step.instead;
    if (!step.place.empty()) json["at"] = step.place;
    if (!step.values.empty()) json["publishes"] = step.values;
  }
  Json actors = {{"steps", steps}, {"fewest", counterexample.is_fewest}};
  if (counterexample.loop) actors["loop"] = *counterexample.loop;
  return actors;
}

void read_steps(const Json& json, Counterexample& counterexample) {
  counterexample.is_fewest = json.at("fewest");
  for (const Json& step : json.at("steps"))
    counterexample.steps.push_back({step.at("step"),
                                    step.value("instead_of", std::string()),
                                    {},
                                    step.value("at", std::string()),
                                    step.value("publishes", std::string())});
  if (!json.contains("loop")) return;
  counterexample.loop = json.at("loop").get<std::uint32_t>();
  if (*counterexample.loop > counterexample.steps.size()) throw std::out_of_range("loop: more than the steps");
}

// The steps of ranks, and the numbers of their operations, with which a replay ends.
Json lasso_to_json(const Counterexample& counterexample) {
  Json json = steps_to_json(counterexample);
  json["operations"] = counterexample.operations;
  return json;
}

void read_lasso(const Json& json, Counterexample& counterexample) {
  read_steps(json, counterexample);
  counterexample.operations = json.at("operations").get<std::vector<std::uint32_t>>();
  if (counterexample.operations.size() != counterexample.ranks || !counterexample.loop)
    throw std::out_of_range("lasso: operations: not one number for each rank, or no loop");
}

// Throws if a key is missing or of another kind.
Result<Counterexample> read(const std::string& file, const Json& json, int version_given) {
  Counterexample result;
  result.program = json.at("program");
  result.program_hash = json.at("program_hash");
  result.arguments = json.at("arguments").get<std::vector<std::string>>();
  const Json& ranks = json.at("ranks");
  if (!ranks.is_number_unsigned() || ranks.get<std::uint64_t>() < 1 || ranks.get<std::uint64_t>() > ranks_max)
    return Error{fmt::format("{}: ranks: {} given; accepted: 1 to {}", file, ranks.dump(), ranks_max)};
  result.ranks = ranks;
  auto policy = parse_policy(json.at("policy").get<std::string>());
  if (!policy) return Error{file + ": " + policy.error().text};
  result.policy = policy.value();
  auto finding = finding_from_json(json.at("finding"));
  if (!finding) return Error{file + ": " + finding.error().text};
  result.finding = std::move(finding.value());
  if (json.contains("buffers")) result.buffers = buffers_from_json(json.at("buffers"));
  if (json.contains("cancelled_sends"))
    result.cancelled_sends = json.at("cancelled_sends").get<std::vector<std::uint64_t>>();
  if (json.contains("window_objects"))
    result.window_objects = json.at("window_objects").get<std::vector<std::string>>();
  if (json.contains("started"))
    for (const Json& text : json.at("started")) {
      auto group = smpi::parse_spawned_group(text.get<std::string>());
      if (!group) return Error{fmt::format("{}: started: {} given; accepted: what check writes", file, text.dump())};
      result.groups.push_back(std::move(*group));
    }
  if (json.contains("others")) result.others = others_from_json(json.at("others"));
  for (std::uint32_t i = 0, before = 0; i < result.others.size(); before = result.others[i++].first_rank)
    if (result.others[i].first_rank <= before || result.others[i].first_rank >= result.ranks)
      return Error{fmt::format("{}: others: first_rank {} given; accepted: ascending, from 1 to {}", file,
                               result.others[i].first_rank, result.ranks - 1)};
  if (json.contains("nodes")) {
    auto nodes = nodes_from_json(json.at("nodes"), result.ranks);
    if (!nodes) return Error{file + ": nodes: " + nodes.error().text};
    result.nodes = std::move(nodes.value());
  }
  result.is_of_actors = json.contains("actors");
  if (result.is_of_actors) read_steps(json.at("actors"), result);
  if (json.contains("lasso")) read_lasso(json.at("lasso"), result);
  if (version_given == 1) return result;
  result.folder = json.at("folder");
  const Json& options = json.at("options");
  result.polls = options.at("polls");
  result.failures = options.value("failures", 0U);
  if (options.contains("on")) result.platform = options.at("on");
  if (options.contains("time_bound")) result.time_bound = options.at("time_bound").get<double>();
  if (options.contains("compute")) {
    auto compute = compute_from_json(options);
    if (!compute) return Error{file + ": options: " + compute.error().text};
    result.compute = std::move(compute.value());
  }
  if (json.contains("predicted")) result.predicted = predicted_from_json(json.at("predicted"));
  if (json.contains("explanation")) result.explanation = explanation_from_json(json.at("explanation"));
  return result;
}

}  // namespace

Json to_json(const PredictedTime& time) {
  return {{"platform", time.platform}, {"seconds", time.seconds ? Json(*time.seconds) : Json(nullptr)}};
}

Json to_json(const Counterexample& counterexample) {
  Json json = {{"rehearse_counterexample", format_version},
               {"rehearse", version},
               {"program", counterexample.program},
               {"program_hash", counterexample.program_hash},
               {"arguments", counterexample.arguments},
               {"folder", counterexample.folder},
               {"ranks", counterexample.ranks},
               {"policy", to_text(counterexample.policy)},
               {"options", {{"polls", counterexample.polls}}},
               {"buffers", checks_to_json(counterexample.buffers)},
               {"finding", to_json(counterexample.finding)}};
  if (!counterexample.cancelled_sends.empty()) json["cancelled_sends"] = counterexample.cancelled_sends;
  if (!counterexample.window_objects.empty()) json["window_objects"] = counterexample.window_objects;
  for (const smpi::SpawnedGroup& group : counterexample.groups) json["started"].push_back(to_text(group));
  if (!counterexample.others.empty()) json["others"] = programs_to_json(counterexample.others);
  if (counterexample.nodes != smpi::NodeMap{})
    json["nodes"] = names_to_json(counterexample.nodes, counterexample.ranks);
  if (counterexample.failures > 0) json["options"]["failures"] = counterexample.failures;
  if (!counterexample.platform.empty()) json["options"]["on"] = counterexample.platform;
  if (counterexample.time_bound) json["options"]["time_bound"] = *counterexample.time_bound;
  if (const auto& compute = counterexample.compute) {
    json["options"]["compute"] = compute->what;
    json["options"]["compute_scale"] = compute->scale;
    json["options"]["instruction_rate"] = compute->instructions_per_second;
  }
  if (counterexample.predicted) json["predicted"] = to_json(*counterexample.predicted);
  if (counterexample.explanation) json["explanation"] = to_json(*counterexample.explanation);
  if (counterexample.is_of_actors) json["actors"] = steps_to_json(counterexample);
  else if (counterexample.loop) json["lasso"] = lasso_to_json(counterexample);
  return json;
}

Result<Counterexample> counterexample_from_json(const std::string& file, const Json& json) {
  try {
    auto given = version_of(file, json);
    if (!given) return given.error();
    return read(file, json, given.value());
  } catch (const std::exception& problem) {
    return Error{file + ": not a counter-example: " + problem.what()};
  }
}

Result<void> write_counterexample(const std::string& file, const Counterexample& counterexample) {
  return write_file(file, [&](std::ostream& out) { out << text_of(to_json(counterexample)); });
}

Result<Counterexample> read_counterexample(const std::string& file) {
  auto content = text_of_file(file);
  if (!content) return content.error();
  auto json = parse_json(content.value());
  if (!json)
    return Error{
        fmt::format("{}: not a counter-example: not a whole JSON document ({} bytes)", file, content.value().size())};
  return counterexample_from_json(file, json.value());
}

Job job_of(const Counterexample& counterexample) {
  Job job{counterexample.program, counterexample.arguments, counterexample.ranks, counterexample.others};
  job.buffers = counterexample.buffers;
  job.nodes = counterexample.nodes;
  job.failures.chosen = counterexample.failures;
  job.cancels.places = counterexample.cancelled_sends;
  job.window_objects = counterexample.window_objects;
  job.starts.groups = counterexample.groups;
  job.starts.knows_groups = !job.starts.groups.empty();
  return job;
}

Result<std::string> hash_of_programs(const Counterexample& counterexample) {
  auto all = hash_of_file(counterexample.program);
  for (const Job::Further& other : counterexample.others) {
    auto hash = hash_of_file(other.path);
    if (!hash) return hash;
    if (all) all.value() += "," + hash.value();
  }
  return all;
}

Result<std::string> hash_of_file(const std::string& path) {
  auto content = text_of_file(path);
  if (!content) return content.error();
  StableHash hash;
  hash.add(content.value());
  std::string text = "fnv1a:";
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(hash.value() >> shift) & 15];
  return text;
}

}  // namespace rehearse::app
