// SPDX-License-Identifier: MIT
//
// Builds graphs by the rules of the graph alone.
#include "tests/support/graphs.hpp"

#include "mc/counterexample/ending.hpp"
#include "mc/graph/collective_instance.hpp"
#include "mc/reduction/none.hpp"
#include "mc/reduction/questions.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/reduction/single_execution.hpp"
#include "mc/reduction/takers.hpp"
#include "mc/verdict/examiner.hpp"
#include "tests/support/litmus.hpp"

namespace rehearse::tests {

using namespace mc;
using mc::buffering::PolicyOutcome;
using mc::graph::EventIndex;
using mc::graph::EventKind;
using mc::graph::EventRef;
using mc::graph::Graph;
using mc::graph::Match;
using mc::graph::no_event;
using mc::graph::Option;
using mc::reduction::Options;
using mc::reduction::Race;
using mc::reduction::ReceivesFromExplorer;
using mc::reduction::SingleExecution;

namespace {

constexpr std::uint64_t room_bytes = std::uint64_t{16} << 20;

ReceivesFromExplorer exploration_of(World& world, std::uint32_t polls) {
  return ReceivesFromExplorer(world.history(), world.actors(), polls, [](const ReceivesFromExplorer&) { return true; });
}

SingleExecution single_execution_of(World& world) {
  return SingleExecution(world.history(), world.actors(), 1, [](std::uint64_t) { return true; });
}

std::string event_name(EventRef ref) {
  return ref.event == no_event ? "-" : std::to_string(ref.actor) + "." + std::to_string(ref.event);
}

}  // namespace

World::World(const std::string& text, bool sites)
    : program_(make_litmus(text, sites)), history_(*program_, room_bytes) {}

bool World::for_each_execution(const Visit& visit, std::uint32_t polls) {
  return exploration_of(*this, polls).run(visit);
}

bool World::for_each_with_deviations(std::uint32_t max_deviations, const VisitDeviating& visit) {
  ReceivesFromExplorer explorer = exploration_of(*this, 1);
  explorer.limit_deviations(max_deviations);
  const bool is_whole = explorer.run([&](const Graph& graph) {
    visit(graph, explorer.deviations());
    return true;
  });
  return is_whole && !explorer.has_left_deviations_out();
}

bool World::walk(SplitMix& chance, const std::function<void(const Graph&)>& look) {
  SingleExecution execution = single_execution_of(*this);
  const Graph* graph = execution.walk(chance);
  if (graph != nullptr) look(*graph);
  return graph != nullptr;
}

std::vector<World::RaceSides> World::races() {
  std::vector<Race> races;
  ReceivesFromExplorer explorer = exploration_of(*this, 1);
  explorer.run([&](const Graph&) {
    std::vector<Race> more;
    reduction::RaceFinder::Places known;
    for (const Race& race : races) known.insert(race.place);
    explorer.find_races(
        known, [] { return true; }, more);
    races.insert(races.end(), more.begin(), more.end());
    return true;
  });
  std::vector<RaceSides> all;
  for (const Race& race : races) {
    const auto senders_by = [&](const reduction::Path& path) {
      ReceivesFromExplorer side = exploration_of(*this, 1);
      side.load(path);
      const EventRef observation{race.actor, race.observed};
      const reduction::Senders senders =
          reduction::senders_of(side.graph(), observation, side.graph().event(observation).option);
      return std::vector<std::uint32_t>(senders.begin(), senders.end());
    };
    RaceSides& sides = all.emplace_back();
    sides.actor = race.actor;
    sides.taken = race.taken;
    sides.here = senders_by(race.path);
    for (const reduction::Path& other : race.others) sides.there.push_back(senders_by(other));
  }
  return all;
}

bool World::follow(reduction::Guide& guide, const std::function<void(const Graph&)>& look) {
  SingleExecution execution = single_execution_of(*this);
  const Graph* graph = execution.follow(guide);
  if (graph != nullptr) look(*graph);
  return graph != nullptr;
}

void World::first_execution(const std::function<void(const Graph&)>& look) {
  for_each_execution([&](const Graph& graph) {
    look(graph);
    return false;
  });
}

void World::for_each_interleaved_end(const Policy& policy,
                                     const std::function<void(const Graph&, const PolicyOutcome&)>& visit) {
  reduction::None none(history_, actors(), policy, 1);
  none.run([&](const Graph& graph, const PolicyOutcome& outcome) {
    visit(graph, outcome);
    return true;
  });
}

GrownGraph::GrownGraph(const std::string& text, bool sites)
    : world_(text, sites), graph_(world_.actors()), everything_(world_.actors(), no_event) {
  for (std::uint32_t a = 0; a < world_.actors(); ++a) graph_.stand_at(a, world_.history().start({a}));
}

EventRef GrownGraph::start(std::uint32_t actor) {
  const Graph::Actor& a = graph_.actor(actor);
  const history::Node& node = *a.node;
  bool blocking = false;
  if (const auto* send = std::get_if<Send>(&node.operation)) {
    graph_.append(actor, EventKind::send);
    graph_.register_send(actor, *send);  // a send does not wait
  } else if (const auto* post = std::get_if<Post>(&node.operation)) {
    graph_.append(actor, EventKind::post);
    graph_.register_post(actor);
    blocking = post->blocking;
  } else {
    const auto& collective = std::get<Collective>(node.operation);
    graph_.append(actor, EventKind::arrive);
    graph_.register_arrival(actor, collective);
    blocking = collective.blocking;
  }
  graph_.stand_at(actor, blocking ? &node : world_.history().advance(&node), blocking);
  return {actor, static_cast<EventIndex>(a.events.size() - 1)};
}

void GrownGraph::start_all(const std::vector<std::uint32_t>& actors) {
  for (const std::uint32_t actor : actors) start(actor);
}

EventRef GrownGraph::answer(std::uint32_t actor, Option option) {
  const Graph::Actor& a = graph_.actor(actor);
  const history::Node& node = *a.node;
  graph_.append(actor, EventKind::observe);
  graph_.set_option(actor, std::move(option));
  const EventRef observation{actor, static_cast<EventIndex>(a.events.size() - 1)};
  const Option& chosen = a.events.back().option;
  if (chosen.starved) return observation;
  const auto join = [&](RequestId request) {
    const EventRef started{actor, a.requests[request.value]};
    if (graph_.event(started).kind == EventKind::arrive) graph::join_collective(graph_, started, actor);
  };
  if (const auto* collective = std::get_if<Collective>(&node.operation)) join(collective->request);
  const auto* observe = std::get_if<Observe>(&node.operation);
  if (observe != nullptr && chosen.flag && observe->quantifier == Quantifier::all)
    for (const RequestId request : observe->requests) join(request);
  else if (observe != nullptr && chosen.flag)
    for (const std::uint32_t i : chosen.completed) join(observe->requests[i]);
  graph_.stand_at(actor, world_.history().advance(&node, reduction::reply_key(graph_, actor, node, chosen),
                                                  [&](history::Reply& reply) {
                                                    reduction::make_reply(graph_, actor, node, chosen, reply);
                                                  }));
  return observation;
}

EventRef GrownGraph::decide(std::uint32_t actor, std::uint32_t request, Option option) {
  graph_.append(actor, EventKind::decide, {request});
  graph_.set_option(actor, std::move(option));
  return {actor, static_cast<EventIndex>(graph_.actor(actor).events.size() - 1)};
}

bool GrownGraph::can_start(std::uint32_t actor) const {
  const Operation& operation = graph_.actor(actor).node->operation;
  return !graph_.actor(actor).issued &&
         (std::holds_alternative<Send>(operation) || std::holds_alternative<Post>(operation) ||
          std::holds_alternative<Collective>(operation));
}

bool GrownGraph::can_observe(std::uint32_t actor) const {
  const Operation& operation = graph_.actor(actor).node->operation;
  return !can_start(actor) && !std::holds_alternative<Collective>(operation) && !std::holds_alternative<End>(operation);
}

std::vector<Option> GrownGraph::answers(std::uint32_t actor) const {
  const Graph::Actor& a = graph_.actor(actor);
  std::vector<Option> found;
  const Operation& operation = a.node->operation;
  if (const auto* collective = std::get_if<Collective>(&operation)) {
    const EventRef arrival{actor, a.requests[collective->request.value]};
    if (graph::collective_complete(graph_, arrival, everything_, false)) found.emplace_back();
  } else if (can_observe(actor)) {
    Options().enumerate(graph_, view(actor), question(actor), found);
  }
  return found;
}

bool GrownGraph::grow_by_chance(SplitMix& chance) {
  const auto actors = graph_.actor_count();
  const auto first = static_cast<std::uint32_t>(chance.below(actors));
  for (std::uint32_t i = 0; i < actors; ++i) {
    const std::uint32_t actor = (first + i) % actors;
    if (can_start(actor)) return start(actor), true;
    const std::vector<Option> found = answers(actor);
    if (!found.empty()) return answer(actor, found[chance.below(found.size())]), true;
  }
  return false;
}

reduction::View GrownGraph::view(std::uint32_t actor) const {
  return {actor, static_cast<EventIndex>(graph_.actor(actor).events.size()), everything_};
}

std::vector<std::uint32_t> GrownGraph::event_counts() const {
  std::vector<std::uint32_t> counts;
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a)
    counts.push_back(static_cast<std::uint32_t>(graph_.actor(a).events.size()));
  return counts;
}

reduction::Question GrownGraph::question(std::uint32_t actor, std::uint32_t polls) const {
  return reduction::Questions(polls).observation(graph_, view(actor), *graph_.actor(actor).node, false);
}

std::vector<std::string> GrownGraph::options(std::uint32_t actor, std::uint32_t polls) const {
  std::vector<Option> found;
  Options().enumerate(graph_, view(actor), question(actor, polls), found);
  return texts_of(found);
}

std::vector<std::string> GrownGraph::options_before(EventRef observation,
                                                    const std::vector<std::uint32_t>& visible) const {
  const reduction::View view{observation.actor, observation.event, visible};
  std::vector<Option> found;
  Options().enumerate(graph_, view, reduction::Questions(1).of_event(graph_, view, graph_.event(observation)), found);
  return texts_of(found);
}

Option takes(std::vector<Match> matches) {
  Option option;
  option.matches.assign(matches.begin(), matches.end());
  return option;
}

Option takes(EventIndex post, EventRef send) { return takes({{post, send}}); }

Option done(std::vector<std::uint32_t> which, std::vector<Match> matches) {
  Option option = takes(std::move(matches));
  option.completed.assign(which.begin(), which.end());
  return option;
}

Option saw(EventRef send) {
  Option option;
  option.probed = send;
  return option;
}

Option refused() {
  Option option;
  option.flag = false;
  return option;
}

Option starving() {
  Option option;
  option.starved = true;
  return option;
}

std::string text_of(const Option& option) {
  if (!option.flag) return "no";
  if (option.starved) return "starves";
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  if (!option.completed.empty()) add("done");
  for (const std::uint32_t i : option.completed) add(std::to_string(i));
  for (const Match& match : option.matches) add(std::to_string(match.post) + "<-" + event_name(match.send));
  if (option.probed.event != no_event) add("saw " + event_name(option.probed));
  return text.empty() ? "yes" : text;
}

std::vector<std::string> texts_of(const std::vector<Option>& options) {
  std::vector<std::string> texts;
  for (const Option& option : options) texts.push_back(text_of(option));
  return texts;
}

std::string text_of(const Graph& graph) {
  std::string text;
  const auto add_list = [&text](const char* name, const auto& list) {
    text += name;
    for (const EventIndex event : list) text += " " + std::to_string(event);
  };
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const Graph::Actor& actor = graph.actor(a);
    text += "actor " + std::to_string(a) + " at " + std::to_string(actor.node->depth) + (actor.issued ? " waits" : "");
    add_list(" requests", actor.requests);
    add_list(" posts", actor.posts);
    add_list(" open", actor.open_posts);
    add_list(" takes", actor.takes);
    add_list(" revisitable", actor.revisitable);
    for (const auto& from : actor.inbox) add_list(" inbox", from);
    for (const auto& from : actor.open_inbox) add_list(" open", from);
    text += " probed " + std::to_string(actor.open_probed) + "/" + std::to_string(actor.probed) + "\n";
    for (EventIndex i = 0; i < actor.events.size(); ++i) {
      const graph::Event& event = actor.events[i];
      text += "  " + std::to_string(static_cast<int>(event.kind)) + " stamp " + std::to_string(event.stamp) + " with " +
              event_name(event.partner) + " by " + std::to_string(event.decided_by) + " seen by " +
              std::to_string(event.probed_by) + " early " + std::to_string(event.early_readers) + " " +
              std::to_string(event.history.low) + " " + text_of(event.option);
      add_list(" clock", graph.clock({a, i}));
      text += "\n";
    }
  }
  const Graph::Tally& tally = graph.tally();
  for (const std::uint32_t number : {tally.sends, tally.synchronous_sends, tally.ready_sends, tally.standard_sends,
                                     tally.matched, tally.partial_arrivals, tally.starved, tally.collective_questions})
    text += std::to_string(number) + " ";
  return text + std::to_string(tally.unobserved.low) + " next " + std::to_string(graph.next_stamp());
}

std::string schedule_of(const Graph& graph) {
  return to_text(counterexample::make_schedule(graph, verdict::as_it_is(graph)));
}

PolicyOutcome whole_outcome(const Graph& graph) { return verdict::as_it_is(graph); }

}  // namespace rehearse::tests
