// SPDX-License-Identifier: MIT
//
// Options are the least sets of matches that a matching engine can make, step by step by the non-overtaking rule, so
// that the answer is possible: compared with going through all that such an engine can do.
#include "mc/reduction/options.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "mc/reduction/questions.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;
using mc::graph::EventIndex;
using mc::graph::EventRef;
using mc::graph::Match;
using mc::graph::Option;
using tests::GrownGraph;
using tests::text_of;

namespace {

using Texts = std::vector<std::string>;

struct PostedReceive {
  EventIndex event = 0;
  Pattern pattern;
};

struct SentMessage {
  EventRef ref;
  Send send;
};

// A matching engine that does one match at a time, whichever is allowed.
class Engine {
 public:
  using Matches = std::set<Match>;

  Engine(const graph::Graph& graph, std::uint32_t actor) {
    for (const EventIndex post : graph.actor(actor).open_posts) posts_.push_back({post, graph.pattern_of(actor, post)});
    for (std::uint32_t source = 0; source < graph.actor_count(); ++source)
      for (const EventIndex send : graph.actor(actor).open_inbox[source])
        sends_.push_back({{source, send}, graph.send_of({source, send})});
    visit({});
  }

  const std::set<Matches>& states() const { return states_; }
  const std::set<Matches>& at_rest() const { return at_rest_; }

  // Whether a probe would find the message in that state.
  bool sees(const Matches& state, const Pattern& pattern, EventRef send) const {
    for (const SentMessage& message : sends_) {
      if (has_sent(state, message.ref) || message.ref.actor != send.actor || !takes(pattern, message)) continue;
      if (message.ref.event < send.event) return false;
      if (message.ref != send) continue;
      return std::none_of(posts_.begin(), posts_.end(), [&](const PostedReceive& post) {
        return !has_post(state, post.event) && takes(post.pattern, message);
      });
    }
    return false;
  }
  const std::vector<SentMessage>& sends() const { return sends_; }

  static bool has_post(const Matches& state, EventIndex post) {
    return std::any_of(state.begin(), state.end(), [post](const Match& m) { return m.post == post; });
  }

 private:
  static bool has_sent(const Matches& state, EventRef send) {
    return std::any_of(state.begin(), state.end(), [send](const Match& m) { return m.send == send; });
  }
  static bool takes(const Pattern& pattern, const SentMessage& message) {
    return pattern.context == message.send.context && (!pattern.source || pattern.source->value == message.ref.actor) &&
           (!pattern.tag || *pattern.tag == message.send.tag);
  }

  bool is_allowed(const Matches& state, const PostedReceive& post, const SentMessage& message) const {
    if (has_post(state, post.event) || has_sent(state, message.ref) || !takes(post.pattern, message)) return false;
    for (const PostedReceive& other : posts_)
      if (other.event < post.event && !has_post(state, other.event) && takes(other.pattern, message)) return false;
    for (const SentMessage& other : sends_)
      if (other.ref.actor == message.ref.actor && other.ref.event < message.ref.event && !has_sent(state, other.ref) &&
          takes(post.pattern, other))
        return false;
    return true;
  }

  void visit(const Matches& state) {
    if (!states_.insert(state).second) return;
    bool is_at_rest = true;
    for (const PostedReceive& post : posts_)
      for (const SentMessage& message : sends_) {
        if (!is_allowed(state, post, message)) continue;
        is_at_rest = false;
        Matches next = state;
        next.insert({post.event, message.ref});
        visit(next);
      }
    if (is_at_rest) at_rest_.insert(state);
  }

  std::vector<PostedReceive> posts_;
  std::vector<SentMessage> sends_;
  std::set<Matches> states_, at_rest_;
};

// Those of which no other one is a part.
template <class IsAnswer>
std::vector<Engine::Matches> least(const Engine& engine, IsAnswer is_answer) {
  std::vector<Engine::Matches> all, least;
  for (const Engine::Matches& state : engine.states())
    if (is_answer(state)) all.push_back(state);
  for (const Engine::Matches& one : all) {
    const auto is_part = [&](const Engine::Matches& other) {
      return other.size() < one.size() && std::includes(one.begin(), one.end(), other.begin(), other.end());
    };
    if (std::none_of(all.begin(), all.end(), is_part)) least.push_back(one);
  }
  return least;
}

Option option_of(const Engine::Matches& matches) { return tests::takes(std::vector(matches.begin(), matches.end())); }

// What makes all these requests complete, which are started by the events of their numbers.
std::vector<Engine::Matches> completing(const Engine& engine, const std::vector<std::uint32_t>& requests) {
  return least(engine, [&](const Engine::Matches& state) {
    return std::all_of(requests.begin(), requests.end(),
                       [&](std::uint32_t request) { return Engine::has_post(state, request); });
  });
}

// Receives of actor 0 and messages of two others, then a call that asks.
struct Pool {
  std::uint32_t receives = 0;
  std::string before, senders;
  std::uint32_t messages_of_1 = 0, messages_of_2 = 0;

  explicit Pool(std::uint64_t seed) {
    SplitMix chance(seed);
    const auto one_or_any = [&chance](std::uint64_t first) {
      return chance.below(3) == 0 ? std::string("*") : std::to_string(first + chance.below(2));
    };
    receives = 1 + static_cast<std::uint32_t>(chance.below(4));
    for (std::uint32_t i = 0; i < receives; ++i) {
      const std::string source = one_or_any(1);
      before += "irecv " + source + " " + one_or_any(0) + " r" + std::to_string(i) + " ; ";
    }
    for (std::uint32_t* count : {&messages_of_1, &messages_of_2}) {
      senders += count == &messages_of_1 ? "1:" : "2:";
      *count = 1 + static_cast<std::uint32_t>(chance.below(3));
      for (std::uint32_t i = 0; i < *count; ++i) senders += (i == 0 ? " send 0 " : " ; send 0 ") + one_tag(chance);
      senders += "\n";
    }
  }

  std::string text(const std::string& call) const { return "0: " + before + call + "\n" + senders; }
  std::string list() const {
    std::string names;
    for (std::uint32_t i = 0; i < receives; ++i) names += " r" + std::to_string(i);
    return names;
  }
  void start_all(GrownGraph& grown) const {
    grown.start_all(std::vector<std::uint32_t>(receives, 0));
    grown.start_all(std::vector<std::uint32_t>(messages_of_1, 1));
    grown.start_all(std::vector<std::uint32_t>(messages_of_2, 2));
  }

 private:
  static std::string one_tag(SplitMix& chance) { return std::to_string(chance.below(2)); }
};

std::set<std::string> as_set(const Texts& texts) { return {texts.begin(), texts.end()}; }

void check_options(const GrownGraph& grown, const std::set<std::string>& expected) {
  const Texts found = grown.options(0);
  CHECK(as_set(found) == expected);
  CHECK(as_set(found).size() == found.size());  // each once
}

constexpr std::uint64_t pools = 250;

}  // namespace

TEST_CASE("options: one receive is completed by the minimal sets of matches of an engine", "[mc][options][fuzz]") {
  std::size_t joint = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= pools; ++seed) {
    const Pool pool(seed);
    for (std::uint32_t r = 0; r < pool.receives; ++r) {
      GrownGraph grown(pool.text("wait r" + std::to_string(r)));
      pool.start_all(grown);
      INFO(pool.text("wait " + std::to_string(r)));
      std::set<std::string> expected;
      for (const Engine::Matches& matches : completing(Engine(grown.graph(), 0), {r})) {
        joint += matches.size() > 1;
        expected.insert(text_of(option_of(matches)));
      }
      several += expected.size() > 1;
      check_options(grown, expected);
    }
  }
  CHECK(joint > 50);
  CHECK(several > 50);
}

TEST_CASE("options: all receives are completed by the minimal sets of matches of an engine", "[mc][options][fuzz]") {
  std::size_t possible = 0;
  for (std::uint64_t seed = 1; seed <= pools; ++seed) {
    const Pool pool(seed);
    GrownGraph grown(pool.text("waitall" + pool.list()));
    pool.start_all(grown);
    INFO(pool.text("waitall"));
    std::vector<std::uint32_t> all;
    for (std::uint32_t r = 0; r < pool.receives; ++r) all.push_back(r);
    std::set<std::string> expected;
    for (const Engine::Matches& matches : completing(Engine(grown.graph(), 0), all))
      expected.insert(text_of(option_of(matches)));
    possible += !expected.empty();
    check_options(grown, expected);
  }
  CHECK(possible > 50);
}

TEST_CASE("options: any and some of several receives are completed by the minimal sets of matches",
          "[mc][options][fuzz]") {
  for (std::uint64_t seed = 1; seed <= pools; ++seed) {
    const Pool pool(seed);
    for (const bool one : {true, false}) {
      GrownGraph grown(pool.text((one ? "waitany" : "waitsome") + pool.list()));
      pool.start_all(grown);
      INFO(pool.text(one ? "waitany" : "waitsome"));
      const Engine engine(grown.graph(), 0);
      std::set<std::string> expected;
      for (std::uint32_t bits = 1; bits < 1u << pool.receives; ++bits) {
        std::vector<std::uint32_t> which;
        for (std::uint32_t r = 0; r < pool.receives; ++r)
          if (bits >> r & 1) which.push_back(r);
        if (one && which.size() > 1) continue;
        for (const Engine::Matches& matches : completing(engine, which))
          expected.insert(text_of(tests::done(which, std::vector(matches.begin(), matches.end()))));
      }
      check_options(grown, expected);
    }
  }
}

TEST_CASE("options: a probe reports the messages that it sees after the minimal sets of matches",
          "[mc][options][fuzz]") {
  std::size_t after_matches = 0;
  for (std::uint64_t seed = 1; seed <= pools; ++seed) {
    const Pool pool(seed);
    for (const char* call : {"probe * *", "probe 1 *", "probe * 0", "probe 2 1"}) {
      GrownGraph grown(pool.text(call));
      pool.start_all(grown);
      INFO(pool.text(call));
      const Engine engine(grown.graph(), 0);
      const Pattern pattern = std::get<Probe>(grown.actor(0).node->operation).pattern;
      std::set<std::string> expected;
      for (const SentMessage& message : engine.sends())
        for (const Engine::Matches& matches :
             least(engine, [&](const Engine::Matches& state) { return engine.sees(state, pattern, message.ref); })) {
          Option option = option_of(matches);
          option.probed = message.ref;
          after_matches += !matches.empty();
          expected.insert(text_of(option));
        }
      check_options(grown, expected);
    }
  }
  CHECK(after_matches > 50);
}

TEST_CASE("options: a receive starves if the engine can stop without a match for it", "[mc][options][fuzz]") {
  std::size_t starving = 0, safe = 0;
  for (std::uint64_t seed = 1; seed <= pools; ++seed) {
    const Pool pool(seed);
    for (std::uint32_t r = 0; r < pool.receives; ++r) {
      GrownGraph grown(pool.text("wait r" + std::to_string(r)));
      pool.start_all(grown);
      INFO(pool.text("wait " + std::to_string(r)));
      const Engine engine(grown.graph(), 0);
      const bool expected = std::any_of(engine.at_rest().begin(), engine.at_rest().end(),
                                        [r](const auto& state) { return !Engine::has_post(state, r); });
      Options options;
      const Question question = grown.question(0);
      CHECK(options.starves(grown.graph(), grown.view(0), question) == expected);
      const bool can_be_answered = !grown.options(0).empty();
      if (expected && can_be_answered) CHECK(options.can_starve(grown.graph(), grown.view(0), question));
      ++(expected && can_be_answered ? starving : safe);
    }
  }
  CHECK(starving > 20);
  CHECK(safe > 20);
}

TEST_CASE("options: a probe starves if the engine can stop without a message that it sees", "[mc][options][fuzz]") {
  for (std::uint64_t seed = 1; seed <= pools; ++seed) {
    const Pool pool(seed);
    GrownGraph grown(pool.text("probe * 0"));
    pool.start_all(grown);
    INFO(pool.text("probe"));
    const Engine engine(grown.graph(), 0);
    const Pattern pattern = std::get<Probe>(grown.actor(0).node->operation).pattern;
    const bool expected = std::any_of(engine.at_rest().begin(), engine.at_rest().end(), [&](const auto& state) {
      return std::none_of(engine.sends().begin(), engine.sends().end(),
                          [&](const SentMessage& message) { return engine.sees(state, pattern, message.ref); });
    });
    CHECK(Options().starves(grown.graph(), grown.view(0), grown.question(0)) == expected);
  }
}

TEST_CASE("options: the options of an observation are known for any later graph", "[mc][options][fuzz]") {
  struct Asked {
    EventRef observation;
    std::vector<std::uint32_t> visible;
    Texts options;
  };
  std::size_t asked_in_all = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = seed % 2 == 0;
    shape.probes = seed % 3 == 0;
    shape.polls = shape.cancels = seed % 5 < 2;
    shape.takes = seed % 7 < 3;
    const std::string text = random_litmus(seed, shape);
    INFO(text);
    SplitMix chance(seed);
    GrownGraph grown(text);
    std::vector<Asked> asked;
    for (int step = 0; step < 60; ++step) {
      const std::vector<std::uint32_t> before = grown.event_counts();
      std::vector<Texts> options(before.size());
      for (std::uint32_t a = 0; a < before.size(); ++a)
        if (grown.can_observe(a)) options[a] = grown.options(a);
      if (!grown.grow_by_chance(chance)) break;
      const std::vector<std::uint32_t> now = grown.event_counts();
      for (std::uint32_t a = 0; a < now.size(); ++a)
        if (now[a] > before[a] && grown.actor(a).events.back().kind == graph::EventKind::observe)
          asked.push_back({{a, before[a]}, before, options[a]});
    }
    for (const Asked& one : asked) CHECK(grown.options_before(one.observation, one.visible) == one.options);
    asked_in_all += asked.size();
  }
  CHECK(asked_in_all > 300);
}

TEST_CASE("options: their order begins with no and does not depend on the order of messages", "[mc][options]") {
  for (const std::vector<std::uint32_t>& order : {std::vector<std::uint32_t>{0, 1, 2}, {2, 1, 0}}) {
    GrownGraph grown("0: irecv * 0 a ; test a\n1: send 0 0\n2: send 0 0\n");
    grown.start_all(order);
    CHECK(grown.options(0) == Texts{"no", "0<-1.0", "0<-2.0"});
  }
}

TEST_CASE("options: without a message a blocking call has none, a poll has the answer no", "[mc][options]") {
  GrownGraph blocking("0: recv * 0\n1: send 0 1\n");
  blocking.start_all({0, 1});
  CHECK(blocking.options(0).empty());
  GrownGraph polling("0: iprobe * 0\n1: send 0 1\n");
  polling.start(1);
  CHECK(polling.options(0) == Texts{"no"});
}

TEST_CASE("options: a receive takes no message of another context", "[mc][options]") {
  GrownGraph grown("0: irecv * * a ; recv * *'\n1: send 0 0 ; send 0 0'\n");
  grown.start_all({0, 0, 1, 1});
  CHECK(grown.options(0) == Texts{"1<-1.1"});
}

TEST_CASE("options: a choice has one option for each way", "[mc][options]") {
  GrownGraph grown("0: choose 3\n1: send 0 0\n");
  CHECK(grown.options(0) == Texts{"done 0", "done 1", "done 2"});
}

TEST_CASE("options: messages outside the view are no options", "[mc][options]") {
  GrownGraph grown("0: recv * 0\n1: send 0 0\n2: send 0 0\n");
  grown.start_all({0, 1, 2});
  const std::vector<std::uint32_t> visible{1, 0, 1};
  std::vector<Option> found;
  Options().enumerate(grown.graph(), {0, 1, visible}, grown.question(0), found);
  CHECK(tests::texts_of(found) == Texts{"0<-2.0"});
}

TEST_CASE("options: a decision about a receive has the options of a wait for it", "[mc][options]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Pool pool(seed);
    GrownGraph grown(pool.text("wait r0"));
    pool.start_all(grown);
    std::vector<Option> decided;
    Options().enumerate(grown.graph(), grown.view(0), Questions::decision(0), decided);
    CHECK(tests::texts_of(decided) == grown.options(0));
  }
}

TEST_CASE("options: of more than twelve requests only single ones are completed, and this is reported",
          "[mc][options]") {
  const auto enumerated = [](std::uint32_t requests, bool& left_out) {
    std::string text = "0: ", list, senders = "1: ";
    for (std::uint32_t i = 0; i < requests; ++i) {
      text += "irecv 1 " + std::to_string(i) + " r" + std::to_string(i) + " ; ";
      list += " r" + std::to_string(i);
      senders += (i == 0 ? "send 0 " : " ; send 0 ") + std::to_string(i);
    }
    GrownGraph grown(text + "waitsome" + list + "\n" + senders + "\n");
    for (std::uint32_t i = 0; i < requests; ++i) grown.start_all({0, 1});
    Options options;
    std::vector<Option> found;
    options.enumerate(grown.graph(), grown.view(0), grown.question(0), found);
    left_out = options.left_out();
    return found.size();
  };
  bool left_out = true;
  CHECK(enumerated(6, left_out) == 63);
  CHECK_FALSE(left_out);
  CHECK(enumerated(static_cast<std::uint32_t>(max_subset_targets) + 1, left_out) == max_subset_targets + 1);
  CHECK(left_out);
}

TEST_CASE("options: a probed message is known while a probe can see it", "[mc][options]") {
  GrownGraph grown("0: probe 1 0 ; iprobe * 0 ; recv 1 0 ; iprobe * 0\n1: send 0 0 ; send 0 0\n2: send 0 0\n");
  grown.start_all({1, 1, 2});
  const Pattern any{{0}, {}, Tag{0}}, of_2{{0}, ActorId{2}, Tag{0}};
  const auto sees_known = [&](const Pattern& pattern) {
    return Options().sees_known(grown.graph(), grown.view(0), pattern);
  };
  CHECK_FALSE(sees_known(any));
  grown.answer(0, tests::saw({1, 0}));
  CHECK(sees_known(any));
  CHECK_FALSE(sees_known(of_2));
  CHECK(grown.options(0) == Texts{"saw 1.0", "saw 2.0"});  // it may not get the answer no
  grown.answer(0, tests::saw({1, 0}));
  grown.start(0);
  CHECK_FALSE(sees_known(any));  // the receive hides it
  grown.answer(0, tests::takes(2, {1, 0}));
  CHECK_FALSE(sees_known(any));
  CHECK(grown.options(0) == Texts{"no", "saw 1.1", "saw 2.0"});
}
