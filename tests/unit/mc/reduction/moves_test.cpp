// SPDX-License-Identifier: MIT
//
// Moves under a policy, one by one: which there are, what they do, and that they can be taken back.
#include "mc/reduction/moves.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "mc/reduction/none.hpp"
#include "tests/support/graphs.hpp"
#include "tests/support/random_litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;
using tests::World;

namespace {

constexpr Policy with_room{}, without_room{0, false}, four_bytes_of_room{4, false},
    all_together{Policy::infinite, true};

std::string name_of(const Move& move) {
  const std::string actor = std::to_string(move.actor);
  switch (move.kind) {
    case Move::Kind::match:
      return actor + ": " + std::to_string(move.post) + "<-" + std::to_string(move.send.actor) + "." +
             std::to_string(move.send.event);
    case Move::Kind::start: return actor + " starts";
    case Move::Kind::complete: return actor + " goes on";
    case Move::Kind::answer: return actor + " " + tests::text_of(move.option);
  }
  return "";
}

using MoveNames = std::vector<std::string>;

// Moves of a program, by their names.
class Mover {
 public:
  explicit Mover(const std::string& text, const Policy& policy = with_room, bool sites = false)
      : world_(text, sites), moves_(world_.history(), world_.actors(), policy, 1) {}

  MoveNames possible() const {
    std::vector<Move> all;
    moves_.list(all);
    MoveNames texts;
    for (const Move& move : all) texts.push_back(name_of(move));
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  void make(const std::string& name) {
    std::vector<Move> all;
    moves_.list(all);
    const auto found = std::find_if(all.begin(), all.end(), [&](const Move& move) { return name_of(move) == name; });
    INFO(name);
    REQUIRE(found != all.end());
    moves_.make(*found);
  }
  void make_all(const MoveNames& names) {
    for (const std::string& name : names) make(name);
  }

  Moves& moves() { return moves_; }

 private:
  World world_;
  Moves moves_;
};

}  // namespace

TEST_CASE("moves: a message is taken step by step", "[mc][moves]") {
  Mover mover("0: send 1 0\n1: recv 0 0\n", without_room);
  CHECK(mover.possible() == MoveNames{"0 starts", "1 starts"});
  mover.make("0 starts");
  CHECK(mover.possible() == MoveNames{"1 starts"});  // it waits for its receive
  mover.make("1 starts");
  CHECK(mover.possible() == MoveNames{"1: 0<-0.0"});
  mover.make("1: 0<-0.0");
  CHECK(mover.possible() == MoveNames{"0 goes on", "1 yes"});
  mover.make_all({"1 yes", "0 goes on"});
  CHECK(mover.possible().empty());
  CHECK(mover.moves().outcome().complete);
}

TEST_CASE("moves: a sender continues at once if there is buffer space", "[mc][moves]") {
  const auto goes_on = [](const char* call, const Policy& policy) {
    Mover mover("0: " + std::string(call) + " 1 0\n1: recv 0 0\n", policy);
    mover.make("0 starts");
    const MoveNames possible = mover.possible();
    return std::count(possible.begin(), possible.end(), "0 goes on") == 1;
  };
  CHECK(goes_on("send", with_room));
  CHECK(goes_on("send", four_bytes_of_room));
  CHECK_FALSE(goes_on("send", Policy{3, false}));
  CHECK_FALSE(goes_on("send", without_room));
  CHECK_FALSE(goes_on("ssend", with_room));
  CHECK(goes_on("bsend", without_room));
  CHECK_FALSE(goes_on("rsend", without_room));
}

TEST_CASE("moves: messages of one channel do not overtake, nor do receives", "[mc][moves]") {
  Mover mover("0: irecv * 0 a ; irecv 1 0 b ; irecv * 1 c\n1: send 0 0 ; send 0 0 ; send 0 1\n");
  mover.make_all({"0 starts", "0 starts", "0 starts", "1 starts", "1 goes on", "1 starts", "1 goes on", "1 starts"});
  const MoveNames matches = mover.possible();
  CHECK(std::count(matches.begin(), matches.end(), "0: 0<-1.0") == 1);
  CHECK(std::count(matches.begin(), matches.end(), "0: 2<-1.2") == 1);  // another tag
  CHECK(std::count_if(matches.begin(), matches.end(), [](const auto& m) { return m.find("<-") != m.npos; }) == 2);
  mover.make("0: 0<-1.0");
  const MoveNames then = mover.possible();
  CHECK(std::count(then.begin(), then.end(), "0: 1<-1.1") == 1);
}

TEST_CASE("moves: a poll gets the answer no, or yes when it can be complete", "[mc][moves]") {
  Mover mover("0: irecv 1 0 a ; test a ; wait a\n1: send 0 0\n", with_room, true);
  mover.make("0 starts");
  CHECK(mover.possible() == MoveNames{"0 no", "1 starts"});
  mover.make_all({"1 starts", "0: 0<-1.0"});
  CHECK(mover.possible() == MoveNames{"0 no", "0 yes", "1 goes on"});
  mover.make("0 yes");
  CHECK(mover.possible() == MoveNames{"1 goes on"});  // nothing is left to wait for
}

TEST_CASE("moves: a poll that reached the bound on answers no waits, and this is reported", "[mc][moves]") {
  Mover mover("0: iprobe 1 5 ; iprobe 1 5\n1: recv 0 0\n", with_room, true);
  mover.make_all({"0 no", "1 starts"});
  CHECK(mover.possible().empty());
  CHECK(mover.moves().polls_in_vain());
  CHECK(mover.moves().has_left_out_refusals());
  CHECK_FALSE(mover.moves().outcome().complete);
}

TEST_CASE("moves: a probe sees the messages that no receive would take first", "[mc][moves]") {
  Mover mover("0: irecv 1 0 a ; probe * 0\n1: send 0 0 ; send 0 0\n2: send 0 0\n");
  mover.make_all({"0 starts", "1 starts", "1 goes on", "1 starts", "1 goes on", "2 starts", "2 goes on"});
  CHECK(mover.possible() == MoveNames{"0 saw 2.0", "0: 0<-1.0"});
  mover.make("0: 0<-1.0");
  CHECK(mover.possible() == MoveNames{"0 saw 1.1", "0 saw 2.0"});
}

TEST_CASE("moves: a member of a collective continues when the members that it needs have arrived", "[mc][moves]") {
  Mover early("0: bcast 0\n1: bcast 0\n");
  early.make("0 starts");
  CHECK(early.possible() == MoveNames{"0 yes", "1 starts"});
  Mover together("0: bcast 0\n1: bcast 0\n", all_together);
  together.make("0 starts");
  CHECK(together.possible() == MoveNames{"1 starts"});
  together.make("1 starts");
  CHECK(together.possible() == MoveNames{"0 yes", "1 yes"});
}

TEST_CASE("moves: a call that completes some requests reports any set of complete ones", "[mc][moves]") {
  Mover mover("0: isend 1 0 a ; isend 1 0 b ; waitsome a b\n1: recv 0 9\n");
  mover.make_all({"0 starts", "0 starts"});
  CHECK(mover.possible() == MoveNames{"0 done 0", "0 done 0 1", "0 done 1", "1 starts"});
}

TEST_CASE("moves: in an outcome, a waiting sender has not sent", "[mc][moves]") {
  Mover mover("0: send 1 0\n1: recv 0 5\n", without_room);
  mover.make_all({"0 starts", "1 starts"});
  CHECK(mover.possible().empty());
  CHECK(mover.moves().outcome().happened == std::vector<graph::EventIndex>{0, 1});
  CHECK(mover.moves().outcome().matches.empty());
  CHECK_FALSE(mover.moves().polls_in_vain());
}

TEST_CASE("moves: every kind of move can be undone", "[mc][moves][fuzz]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    tests::LitmusShape shape;
    shape.waitany = shape.some = seed % 2 == 0;
    shape.probes = shape.takes = seed % 3 == 0;
    shape.polls = shape.cancels = seed % 4 == 0;
    shape.collectives = seed % 5 == 0;
    const std::string text = random_litmus(seed, shape);
    INFO(text);
    const Policy policies[] = {with_room, without_room, four_bytes_of_room};
    Mover mover(text, policies[seed % 3]);
    SplitMix chance(seed);
    std::vector<MoveNames> possible;
    std::vector<history::Hash128> states;
    for (int step = 0; step < 50; ++step) {
      possible.push_back(mover.possible());
      states.push_back(mover.moves().state());
      if (possible.back().empty()) break;
      mover.make(possible.back()[chance.below(possible.back().size())]);
    }
    if (!possible.back().empty()) mover.moves().take_back();
    for (std::size_t i = possible.size() - 1; i > 0; --i) {
      mover.moves().take_back();
      CHECK(mover.possible() == possible[i - 1]);
      CHECK(mover.moves().state() == states[i - 1]);
    }
  }
}

TEST_CASE("moves: states are equal for equal observations in any order", "[mc][moves]") {
  Mover mover("0: recv 1 0\n1: send 0 0\n2: barrier\n");
  const auto state_after = [&](const MoveNames& names) {
    mover.make_all(names);
    const history::Hash128 state = mover.moves().state();
    for (std::size_t i = 0; i < names.size(); ++i) mover.moves().take_back();
    return state;
  };
  CHECK(state_after({"0 starts", "1 starts", "2 starts"}) == state_after({"2 starts", "1 starts", "0 starts"}));
  CHECK_FALSE(state_after({"0 starts", "1 starts"}) == state_after({"0 starts", "1 starts", "0: 0<-1.0"}));
}

TEST_CASE("none: it visits each state once and each end, until it is stopped", "[mc][moves]") {
  World world("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n");
  std::set<std::string> ends;
  None none(world.history(), world.actors(), with_room, 1);
  CHECK(none.run([&](const graph::Graph&, const buffering::PolicyOutcome& outcome) {
    std::string text;
    for (const auto& [receive, send] : outcome.matches)
      text += std::to_string(receive.event) + "<-" + std::to_string(send.actor) + " ";
    CHECK(ends.insert(text).second);
    return true;
  }));
  CHECK(ends.size() == 2);
  CHECK(none.states() > 10);
  World again("0: recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n");
  None stopped(again.history(), again.actors(), with_room, 1);
  CHECK_FALSE(stopped.run([](const graph::Graph&, const buffering::PolicyOutcome&) { return false; }));
  CHECK(stopped.states() < none.states());
}
