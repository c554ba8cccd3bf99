// SPDX-License-Identifier: MIT
//
// The non-overtaking rule.
#include "simcore/matching.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace rehearse;

namespace {

Pattern pattern(std::optional<std::uint32_t> source, std::optional<Tag> tag) {
  return {{0}, source ? std::optional(ActorId{*source}) : std::nullopt, tag};
}

}  // namespace

TEST_CASE("matching: a receive takes the first visible message that it accepts", "[simcore][matching]") {
  Mailbox mailbox;
  mailbox.keep_message(10, {1}, 7);
  mailbox.keep_message(11, {2}, 8);
  mailbox.keep_message(12, {1}, 8);
  mailbox.keep_message(13, {1}, 7);
  CHECK(mailbox.find_message(pattern({}, 8)) == 11u);
  CHECK(mailbox.match_receive(pattern(1, 8)) == 12u);
  CHECK(mailbox.match_receive(pattern({}, {})) == 10u);
  CHECK(mailbox.match_receive(pattern(1, {})) == 13u);
  CHECK_FALSE(mailbox.match_receive(pattern(1, {})).has_value());
  CHECK(mailbox.match_receive(pattern({}, {})) == 11u);
}

TEST_CASE("matching: a message goes to the first posted receive that accepts it", "[simcore][matching]") {
  Mailbox mailbox;
  mailbox.keep_receive(20, pattern(1, 7));
  mailbox.keep_receive(21, pattern({}, {}));
  mailbox.keep_receive(22, pattern(1, {}));
  CHECK(mailbox.match_message({1}, 8) == 21u);
  CHECK_FALSE(mailbox.match_message({2}, 8).has_value());
  CHECK(mailbox.match_message({1}, 8) == 22u);
  CHECK(mailbox.match_message({1}, 7) == 20u);
}

TEST_CASE("matching: a reserved message is seen but not taken", "[simcore][matching]") {
  Mailbox mailbox;
  const auto place = mailbox.keep_message(10, {1}, 7, true);
  mailbox.keep_message(11, {1}, 7);
  CHECK(mailbox.find_message(pattern({}, {})) == 10u);
  CHECK(mailbox.match_receive(pattern(1, 7)) == 11u);
  mailbox.remove_message(place);
  CHECK_FALSE(mailbox.find_message(pattern({}, {})).has_value());
}

namespace {

// The same rule on plain lists, searched from the front.
class LinearMailbox {
 public:
  struct Kept {
    std::uint32_t number = 0;
    Pattern pattern;  // of a receive
    Envelope envelope;
    bool is_reserved = false;
    Mailbox::Place place = 0;  // in the other one
  };

  std::optional<std::uint32_t> match_message(const Envelope& envelope) {
    return take(receives, [&](const Kept& kept) { return accepts(kept.pattern, envelope); });
  }
  std::optional<std::uint32_t> match_receive(const Pattern& pattern) {
    return take(messages, [&](const Kept& kept) { return !kept.is_reserved && accepts(pattern, kept.envelope); });
  }
  std::optional<std::uint32_t> find_message(const Pattern& pattern) const {
    for (const Kept& kept : messages)
      if (accepts(pattern, kept.envelope)) return kept.number;
    return std::nullopt;
  }

  std::vector<Kept> messages, receives;

 private:
  template <class Condition>
  static std::optional<std::uint32_t> take(std::vector<Kept>& all, const Condition& condition) {
    const auto found = std::find_if(all.begin(), all.end(), condition);
    if (found == all.end()) return std::nullopt;
    const std::uint32_t number = found->number;
    all.erase(found);
    return number;
  }
};

// Both at once, fed with the same random things.
struct Duel {
  std::mt19937 random;
  std::uint32_t sources, tags;
  Mailbox mailbox = {};
  LinearMailbox linear = {};

  std::uint32_t whole(std::size_t below) { return static_cast<std::uint32_t>(random() % below); }
  Pattern any_pattern() {
    const auto source = whole(2) ? std::optional(whole(sources)) : std::nullopt;
    return pattern(source, whole(2) ? std::optional(static_cast<Tag>(whole(tags))) : std::nullopt);
  }
  void send(std::uint32_t number) {
    const Envelope envelope{{0}, {whole(sources)}, {9}, static_cast<Tag>(whole(tags))};
    const bool is_reserved = whole(16) == 0;
    if (!is_reserved) {
      const auto taken = mailbox.match_message(envelope.source, envelope.tag);
      REQUIRE(taken == linear.match_message(envelope));
      if (taken) return;
    }
    const auto place = mailbox.keep_message(number, envelope.source, envelope.tag, is_reserved);
    linear.messages.push_back({number, {}, envelope, is_reserved, place});
  }
  void receive(std::uint32_t number) {
    const Pattern wanted = any_pattern();
    const auto taken = mailbox.match_receive(wanted);
    REQUIRE(taken == linear.match_receive(wanted));
    if (taken) return;
    linear.receives.push_back({number, wanted, {}, false, mailbox.keep_receive(number, wanted)});
  }
  void probe() {
    const Pattern wanted = any_pattern();
    REQUIRE(mailbox.find_message(wanted) == linear.find_message(wanted));
  }
  // What a cancelled receive, a probe that takes and a forced decision do.
  void remove(std::vector<LinearMailbox::Kept>& all, void (Mailbox::*forget)(Mailbox::Place)) {
    if (all.empty()) return;
    const auto victim = all.begin() + whole(all.size());
    (mailbox.*forget)(victim->place);
    all.erase(victim);
  }
  void step(std::uint32_t number) {
    const std::uint32_t what = whole(20);
    if (what < 8) return send(number);
    if (what < 16) return receive(number);
    if (what < 18) return probe();
    if (what == 18) return remove(linear.receives, &Mailbox::remove_receive);
    remove(linear.messages, &Mailbox::remove_message);
  }
};

}  // namespace

TEST_CASE("matching: random sequences with wildcards, probes, takings and cancellations agree with plain lists",
          "[simcore][matching]") {
  for (const auto& [sources, tags] : {std::pair{1u, 1u}, {3u, 3u}, {40u, 2u}, {2u, 60u}, {30u, 30u}}) {
    Duel duel{std::mt19937(sources * 100 + tags), sources, tags};
    for (std::uint32_t number = 0; number < 20'000; ++number) duel.step(number);
  }
}

TEST_CASE("matching: the cost of a message does not depend on the number of other messages and receives",
          "[simcore][matching]") {
  // Messages that nobody waits for and receives that nothing comes for, in all kinds; then one pair after another.
  const auto steps_of_a_pair = [](std::uint32_t crowd, const Pattern& wanted, bool message_first) {
    Mailbox mailbox;
    for (std::uint32_t i = 0; i < crowd; ++i) {
      mailbox.keep_message(i, {i % 100 + 10}, static_cast<Tag>(i) + 100);
      mailbox.keep_receive(i, pattern(i % 100 + 200, static_cast<Tag>(i)));
      mailbox.keep_receive(i, pattern({}, static_cast<Tag>(i) + 1'000'000));
      mailbox.keep_receive(i, pattern(i % 100 + 400, {}));
    }
    mailbox.find_message(wanted);  // asks this kind of question for the first time
    const std::uint64_t before = mailbox.steps();
    for (std::uint32_t i = 0; i < 100; ++i) {
      if (message_first) {
        mailbox.keep_message(7, {1}, 5);
        REQUIRE(mailbox.match_receive(wanted) == 7u);
      } else {
        mailbox.keep_receive(8, wanted);
        REQUIRE(mailbox.match_message({1}, 5) == 8u);
      }
    }
    return (mailbox.steps() - before) / 100;
  };
  for (const Pattern& wanted : {pattern(1, 5), pattern({}, 5), pattern(1, {})})
    for (const bool message_first : {true, false}) {
      const std::uint64_t alone = steps_of_a_pair(1, wanted, message_first);
      CHECK(alone <= 12);
      CHECK(steps_of_a_pair(10'000, wanted, message_first) == alone);
    }
}

TEST_CASE("matching: the time to cancel a receive does not depend on the number of receives", "[simcore][matching]") {
  Mailbox mailbox;
  std::vector<Mailbox::Place> places;
  for (std::uint32_t i = 0; i < 10'000; ++i) places.push_back(mailbox.keep_receive(i, pattern(1, 5)));
  const std::uint64_t before = mailbox.steps();
  for (std::uint32_t i = 0; i < 10'000; i += 2) mailbox.remove_receive(places[i]);
  CHECK(mailbox.steps() - before <= 2 * 5'000);
  CHECK(mailbox.match_message({1}, 5) == 1u);
}
