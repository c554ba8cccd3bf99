// SPDX-License-Identifier: MIT
//
// rehearse trace info and rehearse trace compare: the content of traces.
#include <iostream>
#include <map>

#include "app/cli/goal_options.hpp"
#include "app/cli/message.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/verb_options.hpp"
#include "app/exit_status.hpp"
#include "app/json.hpp"
#include "app/wording.hpp"
#include "trace/inspection.hpp"

namespace rehearse::cli {
namespace {

void print_about(const std::string& about) {
  const auto json = app::parse_json(about);
  if (!json || !json.value().is_object()) return;
  for (const auto& [key, value] : json.value().members())
    std::cout << key << ": " << (value.is_string() ? value.get<std::string>() : value.dump()) << '\n';
}

void print_kinds(const std::vector<trace::KindCount>& kinds) {
  for (const trace::KindCount& kind : kinds) {
    std::cout << "  " << kind.kind << ": " << kind.actions;
    if (kind.bytes > 0) std::cout << ", " << kind.bytes << " bytes";
    if (kind.flops > 0) std::cout << ", " << kind.flops << " flops";
    if (kind.nanoseconds > 0) std::cout << ", " << kind.nanoseconds << " ns";
    std::cout << '\n';
  }
}

void print_summary_of(const trace::Summary& summary) {
  const bool is_recording = summary.format == "rtrace";
  std::cout << "format: " << summary.format << '\n';
  if (summary.about.empty()) std::cout << "ranks: " << summary.ranks << '\n';
  else print_about(summary.about);
  std::cout << "actions: " << summary.actions;
  if (is_recording)
    std::cout << " in " << app::counted(summary.blocks, "block") << ", " << summary.bytes << " bytes of file";
  std::cout << '\n';
  print_kinds(summary.kinds);
  std::map<std::uint64_t, std::uint64_t> sizes;
  for (const std::uint64_t members : summary.communicators) ++sizes[members];
  if (!sizes.empty())
    std::cout << (is_recording ? "communicators with collectives: " : "communicators: ") << summary.communicators.size()
              << '\n';
  for (const auto& [members, count] : sizes)
    std::cout << "  of " << app::counted(members, "rank") << ": " << count << '\n';
  if (is_recording) std::cout << "places of calls: " << summary.sites << '\n';
  if (summary.withdrawn > 0) std::cout << "cancelled receives: " << summary.withdrawn << '\n';
  if (summary.unanswered > 0)
    std::cout << "missing: the recorded run stopped at an operation of " << app::counted(summary.unanswered, "rank")
              << '\n';
  if (summary.cut_off) std::cout << "missing: " << *summary.cut_off << '\n';
  for (const std::string& action : summary.unsupported)
    std::cout << "missing: nobody replays " << action << " and the actions of its rank behind it\n";
}

void print_side(const std::string& name, const trace::TraceDifference& difference, std::size_t side) {
  std::cout << "  " << name << ": ";
  if (difference.number[side] == 0) {
    std::cout << "no more actions\n";
    return;
  }
  std::cout << "action " << difference.number[side] << ": " << difference.text[side];
  if (!difference.place[side].empty()) std::cout << " (" << difference.place[side] << ')';
  std::cout << '\n';
}

}  // namespace

int run_trace_info(const Arguments& arguments) {
  std::string file;
  Options parser("trace info", "TRACE",
                 "Describes a trace of any format: its ranks, and its actions and bytes by kind; of a recording also\n"
                 "its machine and options.",
                 "rehearse trace info lu.rtrace");
  parser.app().add_option("TRACE", file, "trace of any format")->required();
  if (const auto status = parser.parse(arguments)) return *status;
  const auto summary = trace::summarise(file);
  if (!summary) return report_error(summary.error());
  print_summary_of(summary.value());
  return app::exit_good;
}

int run_trace_compare(const Arguments& arguments) {
  std::string one, other;
  bool with_volumes = false;
  trace::GoalConversion conversion;
  Options parser(
      "trace compare", "[--volumes] TRACE TRACE",
      "Reports the first difference of each rank between two traces of any formats. The exit status is 1 if there\n"
      "is one.",
      "rehearse trace compare before.rtrace after.rtrace");
  parser.app().add_option("ONE", one, "trace of any format")->required();
  parser.app().add_option("OTHER", other, "trace of any format")->required();
  parser.app().add_flag("--volumes", with_volumes,
                        "also compare computation, pauses, output, reads of the clock, and polls without success");
  declare(parser.app(), conversion);
  if (const auto status = parser.parse(arguments)) return *status;
  const auto differences = trace::compare_traces(one, other, with_volumes, conversion);
  if (!differences) return report_error(differences.error());
  for (const trace::TraceDifference& difference : differences.value()) {
    std::cout << "rank " << difference.rank << ":\n";
    print_side(one, difference, 0);
    print_side(other, difference, 1);
  }
  return differences.value().empty() ? app::exit_good : app::exit_violation;
}

}  // namespace rehearse::cli
