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

TEST_CASE("matching: a receive takes the first visible message that it accepts",
          "[simcore][matching]") {
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

TEST_CASE("matching: a message goes to the first posted receive that accepts it",
          "[simcore][matching]") {
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

TEST_CASE("matching: random sequences agree with linear lists", "[simcore][matching]") {
  struct Kept { std::uint32_t number; Pattern pattern; std::uint32_t source; Tag tag; };
  std::mt19937 random(1);
  const auto whole = [&](int below) { return static_cast<std::uint32_t>(random()) % below; };
  Mailbox mailbox;
  std::vector<Kept> messages, receives;
  for (std::uint32_t number = 0; number < 20000; ++number) {
    if (whole(2)) {
      const Kept message{number, {}, whole(3), static_cast<Tag>(whole(3))};
      const Envelope envelope{{0}, {message.source}, {9}, message.tag};
      const auto taken = mailbox.match_message({message.source}, message.tag);
      const auto expected =
          std::find_if(receives.begin(), receives.end(),
                       [&](const Kept& kept) { return accepts(kept.pattern, envelope); });
      REQUIRE(taken.has_value() == (expected != receives.end()));
      if (taken) {
        REQUIRE(*taken == expected->number);
        receives.erase(expected);
      } else {
        mailbox.keep_message(number, {message.source}, message.tag);
        messages.push_back(message);
      }
    } else {
      const Kept receive{number,
                         pattern(whole(2) ? std::optional(whole(3)) : std::nullopt,
                                 whole(2) ? std::optional(static_cast<Tag>(whole(3)))
                                          : std::nullopt),
                         0, 0};
      const auto taken = mailbox.match_receive(receive.pattern);
      const auto expected =
          std::find_if(messages.begin(), messages.end(), [&](const Kept& kept) {
            return accepts(receive.pattern, {{0}, {kept.source}, {9}, kept.tag});
          });
      REQUIRE(taken.has_value() == (expected != messages.end()));
      if (taken) {
        REQUIRE(*taken == expected->number);
        messages.erase(expected);
      } else {
        mailbox.keep_receive(number, receive.pattern);
        receives.push_back(receive);
      }
    }
  }
}
