// SPDX-License-Identifier: MIT
//
// See trace_conversion.hpp.
#include "app/trace_conversion.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/json.hpp"
#include "app/output_file.hpp"
#include "app/trace/schedule_file.hpp"
#include "app/version.hpp"
#include "trace/c_program.hpp"
#include "trace/format.hpp"
#include "trace/goal.hpp"
#include "trace/trace.hpp"

namespace rehearse::app {
namespace {

using Done = Result<trace::Conversion>;

void remove_output(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
}

// As text, through `write`, which may fail.
template <class Write>
Done write_as_text(const std::string& path, const Write& write) {
  std::optional<Done> made;
  const auto written = write_file(path, [&](std::ostream& out) { made.emplace(write(out)); });
  if (!written) return written.error();
  if (!*made || !made->value().unsupported.empty()) remove_output(path);
  return std::move(*made);
}

Done convert_calls(const TraceConversionRequest& request) {
  auto calls = trace::open_trace(request.input, request.wildcards);
  if (!calls) return calls.error();
  const trace::Trace& input = *calls.value();
  if (request.to == "ti")
    return write_as_text(request.output, [&](std::ostream& out) { return trace::write_text(input, out); });
  if (request.to == "c")
    return write_as_text(request.output, [&](std::ostream& out) { return trace::write_c_program(input, out); });
  Json about = {{"recorder", "rehearse " + std::string(version)},
                {"converted_from", request.input},
                {"ranks", input.ranks()}};
  if (const auto known = parse_json(input.about()); known && known.value().is_object())
    for (const char* key : {"counter", "flops_per_instruction", "flops_per_second"})
      if (const Json* value = known.value().find(key)) about[key] = *value;
  Done done = trace::write_recording(input, request.output, about.dump());
  if (!done || !done.value().unsupported.empty()) remove_output(request.output);
  return done;
}

Done convert_schedule(const TraceConversionRequest& request) {
  auto read = read_schedule(request.input, request.conversion, request.wildcards);
  if (!read) return read.error();
  trace::Conversion done{std::move(read.value().unsupported), read.value().losses};
  if (!done.unsupported.empty()) return done;
  const trace::GoalSchedule& schedule = read.value().schedule;
  return write_as_text(request.output, [&](std::ostream& out) -> Done {
    if (request.to == "ti") {
      if (const auto made = trace::write_calls(schedule, request.conversion, out); !made) return made.error();
    } else if (request.to == "goal") {
      trace::write_goal_text(schedule, out);
    } else {
      trace::write_goal_binary(schedule, out);
    }
    return done;
  });
}

// GOAL as calls, and these as a recording or a program.
Done convert_schedule_through_calls(const TraceConversionRequest& request) {
  TraceConversionRequest calls = request;
  std::error_code ignored;
  do calls.output += ".calls";
  while (std::filesystem::exists(calls.output, ignored));
  calls.to = "ti";
  Done done = convert_schedule(calls);
  if (!done || !done.value().unsupported.empty()) return done;
  TraceConversionRequest last = request;
  last.input = calls.output;
  done = convert_calls(last);
  remove_output(calls.output);
  return done;
}

}  // namespace

Result<trace::ConvertedTrace> read_schedule(const std::string& file, const trace::GoalConversion& conversion,
                                            trace::Wildcards wildcards) {
  const auto format = trace::find_format(file);
  if (!format) return format.error();
  if (!trace::is_goal(format.value())) {
    auto calls = trace::open_trace(file, wildcards);
    if (!calls) return calls.error();
    return trace::make_schedule(*calls.value(), conversion);
  }
  auto schedule = trace::read_goal(file);
  if (!schedule) return schedule.error();
  return trace::ConvertedTrace{std::move(schedule.value()), "", {}};
}

Result<trace::Conversion> convert_trace(const TraceConversionRequest& request) {
  const auto format = trace::find_format(request.input);
  if (!format) return format.error();
  const bool is_goal = trace::is_goal(format.value());
  if (format.value() == trace::Format::rtrace && request.to == "rtrace")
    return Error{request.input + ": this is a recording already"};
  if (format.value() == trace::Format::ti && request.to == "ti")
    return Error{request.input + ": this is a trace of calls already"};
  const bool between_calls = !is_goal && request.to != "goal" && request.to != "goal-binary";
  if (between_calls && request.conversion.flops_per_second)
    return Error{"--speed applies to conversions from and to GOAL only"};
  std::error_code ignored;
  if (std::filesystem::equivalent(request.input, request.output, ignored))
    return Error{request.output + ": this is the input"};
  if (is_goal && (request.to == "rtrace" || request.to == "c")) return convert_schedule_through_calls(request);
  if (!between_calls) return convert_schedule(request);
  return convert_calls(request);
}

}  // namespace rehearse::app
