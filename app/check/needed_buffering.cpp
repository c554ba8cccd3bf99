// SPDX-License-Identifier: MIT
//
// See needed_buffering.hpp.
#include "app/check/needed_buffering.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/isolated.hpp"
#include "app/launch.hpp"
#include "app/wording.hpp"
#include "mc/needed_buffers.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

using Values = nlohmann::json;

constexpr double patience = 10;  // for loading the program

std::string find_out(const Job& job, const mc::ExploreOptions& given, double seconds) {
  auto program = launch_to_explore(job);
  if (!program) return "";
  mc::ExploreOptions how = given;
  how.bounds.max_seconds = seconds;
  how.hooks = {};
  limit_steps_of(*program.value(), how);
  const mc::NeededBuffers needed = mc::needed_buffers(*program.value(), how);
  Values result{{"why_not", needed.why_not}, {"executions", needed.executions}, {"sites", Values::array()}};
  for (const mc::BufferedSite& site : needed.sites) {
    const Frame frame = site.call.frames.empty() ? Frame{} : site.call.frames.front();
    result["sites"].push_back({{"rank", site.actor.value},
                               {"call", site.call.call},
                               {"file", frame.file},
                               {"line", frame.line},
                               {"function", frame.function}});
  }
  return result.dump(-1, ' ', false, Values::error_handler_t::replace);
}

Finding hint_of(const Values& result) {
  Finding hint;
  hint.id = finding_ids::hint_buffering;
  hint.severity = Severity::note;
  std::vector<std::string> places;
  for (const Values& site : result["sites"]) {
    const Location at{ActorId{site["rank"]}, site["call"],     site["file"],
                      site["line"],          site["function"], "relies on buffering"};
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
  const Values result = text ? Values::parse(*text, nullptr, false) : Values();
  if (!result.is_object()) return {{}, prefix + "the process that looked for them ended"};
  if (const std::string why = result["why_not"]; !why.empty()) return {{}, prefix + why};
  if (result["sites"].empty()) return {};  // the deadlock comes from other policies
  return {{hint_of(result)}, ""};
}

}  // namespace rehearse::app
