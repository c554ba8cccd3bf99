// SPDX-License-Identifier: MIT
//
// See needed_buffering.hpp.
#include "app/check/needed_buffering.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "app/isolated.hpp"
#include "app/launch.hpp"
#include "app/wording.hpp"
#include "mc/needed_buffers.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double patience = 10;  // for loading the program

std::string in_one_field(std::string text) {
  std::ranges::replace_if(
      text, [](char letter) { return letter == '\t' || letter == '\n'; }, ' ');
  return text;
}

// The reason why not, on a line, then a line for each place: rank, call, file, line and function, between tabs.
std::string find_out(const Job& job, const mc::ExploreOptions& given, double seconds) {
  auto program = launch_to_explore(job);
  if (!program) return "the program could not be loaded again\n";
  mc::ExploreOptions how = given;
  how.bounds.max_seconds = seconds;
  how.hooks = {};
  limit_steps_of(*program.value(), how);
  const mc::NeededBuffers needed = mc::needed_buffers(*program.value(), how);
  std::string text = in_one_field(needed.why_not) + "\n";
  for (const mc::BufferedSite& site : needed.sites) {
    const Frame frame = site.call.frames.empty() ? Frame{} : site.call.frames.front();
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", site.actor.value, in_one_field(site.call.call),
                        in_one_field(frame.file), frame.line, in_one_field(frame.function));
  }
  return text;
}

Location read_place(const std::string& text) {
  std::istringstream fields(text);
  std::string rank, call, file, line, function;
  for (std::string* field : {&rank, &call, &file, &line, &function}) std::getline(fields, *field, '\t');
  return {ActorId{static_cast<std::uint32_t>(std::atoi(rank.c_str()))},
          call,
          file,
          std::atoi(line.c_str()),
          function,
          "relies on buffering"};
}

Finding hint_of(std::istream& lines) {
  Finding hint;
  hint.id = finding_ids::hint_buffering;
  hint.severity = Severity::note;
  std::vector<std::string> places;
  for (std::string line; std::getline(lines, line);) {
    const Location at = read_place(line);
    hint.actors.push_back(at.actor);
    places.push_back(at.file.empty() ? at.call : place_of(at));
    hint.locations.push_back(at);
  }
  std::ranges::sort(hint.actors);
  hint.actors.erase(std::unique(hint.actors.begin(), hint.actors.end()), hint.actors.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  hint.message =
      fmt::format("no rank waits for ever if the send{} at {} {} buffered and no other send is; other sets of "
                  "sends may do, too (each execution was replayed with these sends buffered)",
                  places.size() == 1 ? "" : "s", list_of(places), places.size() == 1 ? "is" : "are");
  return hint;
}

}  // namespace

BufferingHints needed_buffering(const Job& program, const mc::ExploreOptions& how, const mc::Verdict& verdict,
                                double seconds) {
  const auto is_deadlock = [](const Finding& finding) { return finding.id.is_under(finding_ids::deadlock); };
  if (std::ranges::none_of(verdict.findings, is_deadlock)) return {};
  const std::string prefix = "sends that rely on buffering: not found: ";
  const auto text = text_from_isolated([&] { return find_out(program, how, seconds); }, seconds + patience);
  if (!text) return {{}, prefix + "the process that looked for them ended"};
  std::istringstream lines(*text);
  std::string why_not;
  std::getline(lines, why_not);
  if (!why_not.empty()) return {{}, prefix + why_not};
  Finding hint = hint_of(lines);
  if (hint.locations.empty()) return {};  // the deadlock comes from other policies
  return {{std::move(hint)}, ""};
}

}  // namespace rehearse::app
