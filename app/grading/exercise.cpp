// SPDX-License-Identifier: MIT
//
// From exercise.json to an Exercise.
#include "app/exercise.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "app/grading/specification.hpp"
#include "app/launch.hpp"

namespace rehearse::app {
namespace {

namespace fs = std::filesystem;

void require_inside(const SpecificationObject& object, const std::string& key, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const fs::path path = fs::path(name).lexically_normal();
    if (path.empty() || path.is_absolute() || path.begin()->string() == "..")
      object.refuse(key, "relative paths that do not lead out of the folder");
  }
}

void require_files(const SpecificationObject& object, const std::string& key, const fs::path& folder,
                   const std::vector<std::string>& names) {
  std::error_code ignored;
  for (const std::string& name : names)
    if (!fs::is_regular_file(folder / name, ignored)) object.refuse_it(key + ": there is no file " + name);
}

Limits read_limits(std::optional<SpecificationObject> object) {
  Limits limits;
  if (!object) return limits;
  limits.seconds = object->number("seconds", 0.1, limits.seconds);
  limits.memory_bytes = object->whole("memory_bytes", 10'000'000, UINT64_MAX, limits.memory_bytes);
  limits.executions = object->whole("executions", 1, UINT64_MAX, limits.executions);
  limits.output_bytes = object->whole("output_bytes", 1, 1'000'000'000, limits.output_bytes);
  object->finish();
  return limits;
}

// Copies the key, if it exists, to the option of the verb with the same name.
void pass_on(SpecificationObject& object, const std::string& key, std::vector<std::string>& options) {
  if (object.has(key)) options.insert(options.end(), {"--" + key, object.text(key)});
}

// The severity of warnings and of ignored errors, which both verbs have as options.
void pass_on_severities(SpecificationObject& object, std::vector<std::string>& options) {
  if (object.has("errors_return"))
    options.insert(options.end(), {"--errors-return", object.one_of("errors_return", {"warning", "error", "ignore"})});
  if (object.flag("warnings_as_errors")) options.emplace_back("--warnings-as-errors");
}

Exploration read_exploration(SpecificationObject& object) {
  Exploration result;
  const std::string verdict = object.one_of("verdict", {"verified", "within bounds", "violation"});
  result.verdict = verdict == "verified"        ? Exploration::Verdict::verified
                   : verdict == "within bounds" ? Exploration::Verdict::within_bounds
                                                : Exploration::Verdict::violation;
  result.finding = object.text("finding", "");
  if (!result.finding.empty() && verdict != "violation") object.refuse_it("a finding belongs to a violation");
  for (const char* key : {"buffering", "collectives", "search", "deterministic", "without", "only"})
    pass_on(object, key, result.options);
  if (object.has("polls"))
    result.options.insert(result.options.end(), {"--polls", std::to_string(object.whole("polls", 1, 1000))});
  pass_on_severities(object, result.options);
  return result;
}

std::optional<ExpectedOutput> read_output(std::optional<SpecificationObject> object) {
  if (!object) return std::nullopt;
  ExpectedOutput output;
  using How = ExpectedOutput::How;
  for (const auto& [key, how] : {std::pair("exact", How::exact), std::pair("lines", How::lines),
                                 std::pair("sorted", How::sorted), std::pair("contains", How::contains)}) {
    if (!object->has(key)) continue;
    output.how = how;
    output.lines = how == How::exact ? std::vector{object->text(key)} : object->texts(key);
    object->finish();  // refuses a second one
    return output;
  }
  object->refuse_it("accepted: one of exact, lines, sorted and contains");
}

// A built-in platform, or a file of the exercise.
std::string platform_of(const std::string& name, const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / name, ignored) ? fs::absolute(folder / name, ignored).string() : name;
}

TimedTask read_timed(SpecificationObject& object, const fs::path& folder, bool has_reference) {
  TimedTask result;
  result.output = read_output(object.object("output"));
  result.seconds_max = object.number("seconds_max", 0);
  result.reference_times_max = object.number("reference_times_max", 0);
  if (result.reference_times_max && !has_reference)
    object.refuse_it("reference_times_max needs a 'reference', the folder of a solution");
  if (object.has("on")) result.options.insert(result.options.end(), {"--on", platform_of(object.text("on"), folder)});
  for (const char* key : {"network", "collectives", "os", "ois", "or"}) pass_on(object, key, result.options);
  if (object.has("eager"))
    result.options.insert(result.options.end(), {"--eager", std::to_string(object.whole("eager", 0, UINT64_MAX))});
  const std::string compute = object.one_of("compute", {"none", "instructions", "measured"});
  result.options.insert(result.options.end(), {"--compute", compute});
  pass_on_severities(object, result.options);
  return result;
}

Trial read_trial(SpecificationObject& object, const Exercise& exercise) {
  Trial trial;
  trial.name = object.text("name");
  trial.points = object.number("points", 0, 0);
  trial.hidden = object.flag("hidden");
  trial.hint = object.text("hint", "");
  auto check = object.object("check"), run = object.object("run"), program = object.object("program");
  if (check.has_value() + run.has_value() + program.has_value() != 1)
    object.refuse_it("expected either 'check' or 'run', or 'program' of actors");
  if (program.has_value() != exercise.actors)
    object.refuse_it(exercise.actors ? "checks of actors are of the kind 'program'" : "a 'program' is one of actors");
  SpecificationObject& what = check ? *check : run ? *run : *program;
  if (!program) trial.ranks = static_cast<std::uint32_t>(what.whole("ranks", 1, ranks_max));
  trial.arguments = what.texts("arguments");
  if (check) trial.what = read_exploration(what);
  else if (run) trial.what = read_timed(what, exercise.folder, !exercise.reference.empty());
  else trial.what = ActorTask{read_output(what.object("output"))};
  what.finish();
  object.finish();
  return trial;
}

Exercise read(const Json& json, const fs::path& folder) {
  SpecificationObject object(json, "");
  Exercise exercise;
  exercise.folder = folder;
  exercise.title = object.text("exercise");
  exercise.actors = object.flag("actors");
  exercise.sources = object.texts("sources");
  if (exercise.sources.empty()) object.refuse("sources", "the student's files, one at least");
  require_inside(object, "sources", exercise.sources);
  exercise.hidden = object.texts("hidden");
  require_inside(object, "hidden", exercise.hidden);
  require_files(object, "hidden", folder, exercise.hidden);
  exercise.reference = object.text("reference", "");
  if (!exercise.reference.empty()) require_files(object, "reference", folder / exercise.reference, exercise.sources);
  exercise.compiler_options = object.texts("compiler_options");
  exercise.limits = read_limits(object.object("limits"));
  if (auto compile = object.object("compile")) {
    exercise.compile_points = compile->number("points", 0, 0);
    compile->finish();
  }
  std::set<std::string> names;
  for (SpecificationObject& each : object.objects("checks")) {
    exercise.trials.push_back(read_trial(each, exercise));
    if (!names.insert(exercise.trials.back().name).second) each.refuse_it("another check has the same name");
  }
  object.finish();
  return exercise;
}

}  // namespace

Result<Exercise> read_exercise(const fs::path& folder) {
  const fs::path file = folder / specification_name;
  std::ifstream in(file, std::ios::binary);
  if (!in) return Error{file.string() + ": there is no such file, or it cannot be read"};
  auto json = parse_json(std::string(std::istreambuf_iterator<char>(in), {}));
  if (!json) return Error{file.string() + ": not JSON: " + json.error().text};
  try {
    return read(json.value(), folder);
  } catch (const BadSpecification& problem) {
    return Error{file.string() + ": " + problem.text};
  } catch (const JsonError& problem) {
    return Error{file.string() + ": not JSON: " + problem.what()};
  }
}

}  // namespace rehearse::app
