// SPDX-License-Identifier: MIT
//
// The critical choice is the last one with another answer after which all can end well.
#include "mc/counterexample/critical.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "mc/counterexample/minimise.hpp"
#include "tests/support/blocked.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::counterexample;
using tests::Blocked;
using tests::text_of;

namespace {

struct Failing {
  std::vector<Taken> taken;
  Alternatives alternatives;
};

// The choices of the execution that shows the finding.
Failing failing_execution(Runs& runs, const Finding& finding) {
  Failing failing;
  const Schedule schedule = finding.witness.schedule;
  runs.follow(Follower::Orders{{schedule, {}}, {}, true},
              [&](const graph::Graph& graph, const ExecutionResult& result) {
                failing.taken = result.taken;
                failing.alternatives = alternatives_of(graph, result.taken);
              });
  return failing;
}

std::vector<std::string> texts_of(const std::vector<Forced>& all) {
  std::vector<std::string> texts;
  for (const Forced& one : all) texts.push_back(text_of(one));
  return texts;
}

// Whether an execution that decides the first choices alike, and this one like that, ends well.
bool ends_well_with(Runs& runs, const Failing& failing, std::size_t choice, const Forced& instead) {
  Forced must;
  for (std::size_t i = 0; i < choice; ++i) must.add(failing.taken[i].options[failing.taken[i].chosen]);
  must.add(instead);
  const ExecutionResult result = runs.follow(Follower::Orders{must, {}, false});
  return result.ends_well && !result.has_impossible;
}

}  // namespace

TEST_CASE("critical: the decision about a stolen message is critical, the other message is the good one",
          "[mc][critical]") {
  Blocked blocked("0: recv * 0 ; recv 1 0\n1: send 0 0\n2: send 0 0\n");
  Runs& runs = blocked.look_for_first();
  const Failing failing = failing_execution(runs, blocked.findings()[0]);
  const auto critical = find_critical(runs, failing.taken, failing.alternatives);
  REQUIRE(critical);
  CHECK(text_of(critical->instead) == "0:r0<-2#0");
  CHECK(runs.follow(critical->passing).ends_well);
}

TEST_CASE("critical: alternatives are the other options and later messages", "[mc][critical]") {
  Blocked blocked("0: recv * 0 ; recv * 0 ; recv 1 9\n1: send 0 0\n2: recv 3 0 ; send 0 0\n3: send 2 0\n");
  Runs& runs = blocked.look_for_first();
  const Failing failing = failing_execution(runs, blocked.findings().at(0));
  REQUIRE(failing.alternatives.size() == failing.taken.size());
  REQUIRE_FALSE(failing.alternatives.empty());
  for (std::size_t i = 0; i < failing.taken.size(); ++i) {
    const Taken& taken = failing.taken[i];
    const auto texts = texts_of(failing.alternatives[i]);
    CHECK(std::count(texts.begin(), texts.end(), text_of(taken.options[taken.chosen])) == 0);
    for (std::size_t option = 0; option < taken.options.size(); ++option)
      if (option != taken.chosen) CHECK(std::count(texts.begin(), texts.end(), text_of(taken.options[option])) == 1);
  }
}

TEST_CASE("critical: a message that depends on the choice is no alternative", "[mc][critical]") {
  // What actor 2 sends follows from what actor 0 took first.
  Blocked blocked("0: recv * 0 ; send 2 0 ; recv * 0 ; recv 1 9\n1: send 0 0\n2: recv 0 0 ; send 0 0\n3: send 0 0\n");
  Runs& runs = blocked.look_for_first();
  const Failing failing = failing_execution(runs, blocked.findings().at(0));
  REQUIRE_FALSE(failing.alternatives.empty());
  for (const std::string& text : texts_of(failing.alternatives[0])) CHECK(text.find("<-2#") == std::string::npos);
}

TEST_CASE("critical: there is no critical decision if no execution can end well", "[mc][critical]") {
  Blocked blocked("0: recv * 0 ; recv * 0 ; recv 1 9\n1: send 0 0\n2: send 0 0\n");
  Runs& runs = blocked.look_for_first();
  const Failing failing = failing_execution(runs, blocked.findings().at(0));
  CHECK_FALSE(failing.taken.empty());
  CHECK_FALSE(find_critical(runs, failing.taken, failing.alternatives));
  CHECK_FALSE(find_critical(runs, {}, {}));
}

TEST_CASE("critical: no later decision permits a good end, and no earlier one must change", "[mc][critical][fuzz]") {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = seed % 2 == 0;
    const std::string text = random_litmus(seed, shape);
    Blocked blocked(text);
    if (blocked.findings().empty()) continue;
    const Finding finding = blocked.findings()[0];
    Runs& runs = blocked.look_for(finding);
    const Failing failing = failing_execution(runs, finding);
    INFO(text << to_text(finding.witness));
    const auto critical = find_critical(runs, failing.taken, failing.alternatives);
    const std::size_t first = critical ? critical->choice + 1 : 0;
    for (std::size_t i = first; i < failing.taken.size(); ++i)
      for (const Forced& instead : failing.alternatives[i]) CHECK_FALSE(ends_well_with(runs, failing, i, instead));
    if (!critical) continue;
    ++found;
    const ExecutionResult passing = runs.follow(critical->passing);
    CHECK(passing.ends_well);
    CHECK_FALSE(passing.has_impossible);
  }
  CHECK(found > 5);
}
