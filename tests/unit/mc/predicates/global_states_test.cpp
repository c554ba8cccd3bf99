// SPDX-License-Identifier: MIT
//
// States of all actors that can be at one time are those that going through all orders of an execution, event by event,
// comes to; and violated predicates are reported.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "mc/buffering/policy_replay.hpp"
#include "mc/graph/collective_instance.hpp"
#include "mc/predicates/global_states.hpp"
#include "mc/reduction/receives_from.hpp"
#include "mc/verdict/examiner.hpp"
#include "simcore/support/random.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"
#include "tests/support/verdicts.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::predicates;
using mc::buffering::PolicyOutcome;
using mc::graph::EventKind;
using mc::graph::EventRef;
using mc::graph::Graph;
using mc::reduction::Place;
using tests::make_litmus;

namespace {

using Values = std::vector<std::int64_t>;  // by actor: what it said last; 0: nothing
constexpr Policy zero{0, false}, infinite{};

// Every order of the events of one execution, one step after the other; by what each step itself waits for.
class AllOrders {
 public:
  AllOrders(const Graph& graph, const Policy& policy, const PolicyOutcome& outcome)
      : graph_(graph),
        policy_(policy),
        happened_(outcome.happened),
        publications_(publications_of(graph, outcome.happened)) {
    for (const auto& [receive, sent] : outcome.matches) receives_[sent] = receive;
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a)  // who waits for its receive has sent
      if (happened_[a] < graph.actor(a).events.size())
        happened_[a] += graph.event({a, happened_[a]}).kind == EventKind::send;
    Place start;
    start.events.resize(graph.actor_count());
    start.reported.resize(graph.actor_count());
    visit(start);
  }

  const std::set<Values>& values() const { return values_; }
  bool is_whole() const { return is_whole_; }  // everything could happen in some order

 private:
  struct Place {
    std::vector<graph::EventIndex> events, reported;
    auto operator<=>(const Place&) const = default;
  };

  void visit(const Place& place) {
    if (!seen_.insert(place).second) return;
    Values values;
    for (std::uint32_t a = 0; a < graph_.actor_count(); ++a)
      values.push_back(place.reported[a] == 0 ? 0 : publications_[a][place.reported[a] - 1].published->value);
    values_.insert(values);
    bool is_end = true;
    for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
      Place next = place;
      const std::vector<Publication>& mine = publications_[a];
      const bool reports = place.reported[a] < mine.size() && mine[place.reported[a]].events == place.events[a];
      is_end = is_end && place.events[a] == happened_[a] && place.reported[a] == publications_[a].size();
      if (!went_on(place, a)) continue;
      if (reports) ++next.reported[a];
      else if (place.events[a] < happened_[a] && may_happen(place, a)) ++next.events[a];
      else continue;
      visit(next);
    }
    is_whole_ = is_whole_ || is_end;
  }

  bool has(const Place& place, EventRef event) const { return place.events[event.actor] > event.event; }

  bool is_free(const Place& place, EventRef sent) const {
    const graph::Event& event = graph_.event(sent);
    if (event.kind != EventKind::send) return true;
    const SendMode mode = graph_.send_of(sent).mode;
    const bool waits = mode == SendMode::synchronous || (mode != SendMode::buffered && policy_ == zero);
    const auto receive = receives_.find(sent);
    return !waits || receive == receives_.end() || has(place, receive->second);
  }

  // Behind its last event.
  bool went_on(const Place& place, std::uint32_t a) const {
    if (place.events[a] == 0) return true;
    const EventRef last{a, place.events[a] - 1};
    return graph_.event(last).kind != EventKind::send || !graph_.send_of(last).blocking || is_free(place, last);
  }

  bool may_happen(const Place& place, std::uint32_t a) const {
    const Graph::Actor& actor = graph_.actor(a);
    const graph::Event& event = actor.events[place.events[a]];
    if (event.kind != EventKind::observe && event.kind != EventKind::decide) return true;
    bool may = true;
    graph::for_each_read(graph_, a, event, event.option, [&](EventRef read) { may = may && has(place, read); });
    if (event.kind == EventKind::decide) return may;
    if (const auto* collective = std::get_if<Collective>(&event.node->operation))
      graph::for_each_needed(graph_, {a, actor.requests[collective->request.value]},
                             [&](EventRef arrival) { may = may && has(place, arrival); });
    const auto* observe = std::get_if<Observe>(&event.node->operation);
    if (observe == nullptr || !event.option.flag || event.option.starved) return may;
    for (std::uint32_t i = 0; i < observe->requests.size(); ++i) {
      const auto& completed = event.option.completed;
      const bool completes = observe->quantifier == Quantifier::all ||
                             std::find(completed.begin(), completed.end(), i) != completed.end();
      may = may && (!completes || is_free(place, {a, actor.requests[observe->requests[i].value]}));
    }
    return may;
  }

  const Graph& graph_;
  Policy policy_;
  std::vector<graph::EventIndex> happened_;
  std::vector<std::vector<Publication>> publications_;
  std::map<EventRef, EventRef> receives_;
  std::set<Place> seen_;
  std::set<Values> values_;
  bool is_whole_ = false;
};

// With values that are all different, published between any two operations.
std::string with_values(const std::string& text, SplitMix& chance) {
  std::string result;
  int value = 0;
  const auto say = [&] { return " say x " + std::to_string(++value) + " ;"; };
  bool at_begin = true;
  for (const char c : text) {
    result += c;
    if (c == ':' && at_begin) result += say();
    at_begin = c == '\n' || (at_begin && c != ':');
    if (c == ';' && chance.below(3) != 0) result += say();
  }
  return result;
}

std::string predicate_of(const Values& values) {
  std::string text;
  for (std::size_t a = 0; a < values.size(); ++a)
    text += (a == 0 ? "" : " && ") + ("x@" + std::to_string(a)) + " == " + std::to_string(values[a]);
  return text;
}

struct Counts {
  std::uint64_t possible = 0, impossible = 0;
};

// Each combination of values that actors publish is found if and only if some order comes to it.
void compare(const Graph& graph, const Policy& policy, const PolicyOutcome& outcome, Counts& counts) {
  const AllOrders orders(graph, policy, outcome);
  CHECK(orders.is_whole());
  const WaitingClocks clocks(graph, policy, outcome);
  const auto publications = publications_of(graph, outcome.happened);
  std::vector<Values> all = {{}};
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    std::vector<Values> longer;
    for (const Values& values : all)
      for (const Publication& reported : publications[a]) {
        longer.push_back(values);
        longer.back().push_back(reported.published->value);
      }
    all = longer;
  }
  for (const Values& values : all) {
    auto predicate = Predicate::parse(predicate_of(values));
    REQUIRE(predicate);
    StateSearch search(predicate.value(), publications, clocks);
    const bool is_found = !search.find(true).empty();
    INFO(predicate_of(values));
    CHECK(is_found == orders.values().contains(values));
    ++(is_found ? counts.possible : counts.impossible);
  }
}

void compare_all(const std::string& text, const Policy& policy, Counts& counts) {
  INFO(text);
  const std::unique_ptr<Program> program = make_litmus(text);
  history::History history(*program, 1 << 26);
  reduction::ReceivesFromExplorer explorer(history, program->actor_count(), 1,
                                           [](const reduction::ReceivesFromExplorer&) { return true; });
  int remaining = 20;
  explorer.run([&](const Graph& graph) {
    if (policy == infinite && !buffering::restricts(graph, policy)) {
      compare(graph, policy, verdict::as_it_is(graph), counts);
    } else {
      buffering::PolicyReplay replay([] { return true; });
      replay.run(graph, policy, [&](const PolicyOutcome& outcome) { compare(graph, policy, outcome, counts); });
    }
    return --remaining > 0;
  });
}

std::vector<GlobalState> states_told(const std::string& text, const Policy& policy = {}) {
  std::vector<GlobalState> reported;
  ExploreOptions options;
  options.semantics.policies = {policy};
  options.bounds.all_findings = true;
  options.hooks.report_state = [&](const GlobalState& state) {
    reported.push_back(state);
    Finding finding;
    finding.id = "state";
    return std::vector<Finding>{finding};
  };
  explore(*make_litmus(text), options, tests::judge_ends);
  return reported;
}

}  // namespace

TEST_CASE("global states: they are the states that some order of the events reaches", "[mc][predicates][fuzz]") {
  tests::LitmusShape shape;
  shape.messages = GENERATE(3, 5);
  shape.waitany = shape.probes = GENERATE(false, true);
  shape.barriers = shape.collectives = GENERATE(false, true);
  const Policy policy = GENERATE(infinite, zero);
  SplitMix chance(7);
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    compare_all(with_values(random_litmus(seed, shape), chance), policy, counts);
  CHECK(counts.possible > 100);
  CHECK(counts.impossible > 20);
}

TEST_CASE("global states: a forbidden state is reported if it is possible", "[mc][predicates]") {
  const auto reported = states_told("0: never busy@0&&busy@1 ; say busy 1 ; send 1 0 ; say busy 0\n"
                                    "1: say busy 0 ; recv 0 0 ; say busy 1\n");
  REQUIRE(reported.size() == 1);
  CHECK(reported[0].is_never);
  CHECK(reported[0].predicate == "busy@0&&busy@1");
  REQUIRE(reported[0].values.size() == 2);
  CHECK(reported[0].values[0].value == 1);
  CHECK(reported[0].values[1].value == 1);
  CHECK(states_told("0: never busy@0&&busy@1 ; say busy 1 ; say busy 0 ; send 1 0\n"
                    "1: say busy 0 ; recv 0 0 ; say busy 1\n")
            .empty());
}

TEST_CASE("global states: there are fewer if senders wait for receives", "[mc][predicates]") {
  const std::string text = "0: never x@0==2&&x@1==1 ; say x 1 ; send 1 0 ; say x 2\n"
                           "1: say x 1 ; say x 2 ; recv 0 0\n";
  CHECK(states_told(text).size() == 1);
  CHECK(states_told(text, zero).empty());
}

TEST_CASE("global states: sums are judged when all actors have published", "[mc][predicates]") {
  // The token goes from one to the other: for a moment nobody has it.
  const std::string ring = "say tokens 1 ; say tokens 0 ; send 1 0\n1: say tokens 0 ; recv 0 0 ; say tokens 1\n";
  CHECK(states_told("0: never sum(tokens)>1 ; " + ring).empty());
  const auto reported = states_told("0: always sum(tokens)==1 ; " + ring);
  REQUIRE(reported.size() == 1);
  CHECK_FALSE(reported[0].is_never);
  CHECK(reported[0].values[0].value + reported[0].values[1].value == 0);
}

TEST_CASE("global states: a value that nobody publishes is reported", "[mc][predicates]") {
  const auto reported = states_told("0: never buzy@1 ; say busy 1\n1: say busy 0\n");
  REQUIRE(reported.size() == 1);
  CHECK(reported[0].missing == "buzy@1");
  CHECK(states_told("0: never sum(busy)>1 ; say busy 1\n1: \n").empty());
}
