// SPDX-License-Identifier: MIT
//
// Explores both sides of each race again.
#include "mc/verdict/race_reporter.hpp"

#include <algorithm>

#include "mc/counterexample/ending.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/reduction/takers.hpp"

namespace rehearse::mc::verdict {

using graph::Graph;
using reduction::Race;

namespace {

constexpr int executions_looked_at = 64;  // of one side, to find one that ends well

bool is_same_place(const Location& a, const Location& b) {
  return !a.file.empty() && a.file == b.file && a.line == b.line && a.function == b.function;
}

Location at_frame(ActorId actor, std::string call, const Frame& frame) {
  return {actor, std::move(call), frame.file, frame.line, frame.function, ""};
}

}  // namespace

// Looks at the first execution with this beginning that ends well, if there is one. Ignores executions in which a later
// revisit changes the decision of the race.
bool RaceReporter::find_execution(const Race& race, const reduction::Path& path, const Look& look) {
  if (!goes_on_()) return false;  // a path may be long
  reduction::ReceivesFromExplorer explorer(history_, program_.actor_count(), options_.semantics.polls,
                                           [this](const reduction::ReceivesFromExplorer&) { return goes_on_(); });
  explorer.load(path);
  const graph::EventRef observation{race.actor, race.observed};
  const graph::Option option = explorer.graph().event(observation).option;
  const auto is_kept = [&](const Graph& graph) {
    return graph.actor(race.actor).events.size() > race.observed && graph.event(observation).option == option;
  };
  bool found = false;
  int remaining = executions_looked_at;
  Execution execution;
  explorer.run([&](const Graph& graph) {
    execution.clear();
    found = is_kept(graph) && examiner_.examine(graph, false, execution) && examiner_.ends_well(graph, execution);
    if (found) look(graph);
    return !found && --remaining > 0;
  });
  return found;
}

Location RaceReporter::where_taken(const Graph& graph, const Race& race) {
  history_.visit(graph.actor(race.actor).events[race.taken].node);
  const CallDescription where = program_.describe({race.actor});
  return at_frame({race.actor}, where.call, where.frames.empty() ? Frame{} : where.frames[0]);
}

Difference::Side RaceReporter::side_of(const Graph& graph, const Race& race) {
  Difference::Side side;
  side.schedule = counterexample::make_schedule(graph, as_it_is(graph));
  const graph::EventRef observation{race.actor, race.observed};
  reduction::for_each_taken(graph, observation, graph.event(observation).option, [&](graph::EventRef sent) {
    const Send& send = graph.send_of(sent);
    side.taken.push_back({sent.actor});
    const Frame from = program_.locate({sent.actor}, send.origin);
    side.sent.push_back(at_frame({sent.actor}, std::string(send.origin.call), from));
  });
  return side;
}

bool RaceReporter::find_sides(const Race& race, Difference& difference) {
  const auto take = [&](Difference::Side& side) { return [&](const Graph& graph) { side = side_of(graph, race); }; };
  const auto one = std::ranges::find_if(race.others, [&](const reduction::Path& path) {
    return find_execution(race, path, take(difference.one));
  });
  if (one == race.others.end() || !find_execution(race, race.path, take(difference.other))) return false;
  if (one->next > race.path.next) std::swap(difference.one, difference.other);
  return true;
}

std::vector<Finding> RaceReporter::report(const std::vector<Race>& races) {
  std::vector<Difference> reported;
  try {
    for (const Race& race : races) {
      if (!goes_on_()) break;
      Difference difference;
      difference.kind = Difference::Kind::match;
      difference.actor = {race.actor};
      const Look look = [&](const Graph& graph) { difference.where = where_taken(graph, race); };
      if (!find_execution(race, race.path, look) || !find_sides(race, difference)) continue;
      const auto known = std::ranges::find_if(reported, [&](const Difference& other) {
        return is_same_place(other.where, difference.where);
      });
      if (known == reported.end()) reported.push_back(std::move(difference));
      else if (known->actor != difference.actor) known->also.push_back(difference.actor);
    }
  } catch (const history::GivenUp&) {   // out of time
  } catch (const history::Diverged&) {  // known already, or without effect on the explored executions
  } catch (const reduction::PathLost&) {
  }
  std::vector<Finding> findings;
  for (const Difference& difference : reported)
    for (Finding& finding : options_.hooks.report_difference(difference)) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace rehearse::mc::verdict
