// SPDX-License-Identifier: MIT
//
// The likelihood of an order, from dates: the slack of a decision, and its text.
#include "app/likely_orders.hpp"

#include <catch2/catch.hpp>
#include <sstream>

namespace rehearse::app {
namespace {

constexpr SendName wanted{{1}, {0}}, other{{2}, {0}};

LikelyMatch match_of(std::optional<SendName> taken, std::optional<std::int64_t> wanted_ps,
                     std::optional<std::int64_t> taken_ps) {
  LikelyMatch match{"rank 0 takes one of rank 1", {{0}, {3}}, wanted, taken, {}, {}};
  if (wanted_ps) match.wanted_at = TimePoint{*wanted_ps};
  if (taken_ps) match.taken_at = TimePoint{*taken_ps};
  return match;
}

std::string text_with(const LikelyMatch& match) {
  LikelyOrders orders;
  orders.matches = {match};
  Finding finding;
  finding.id = finding_ids::deadlock_cycle;
  std::istringstream words(text_of(orders, finding, "cluster:3"));  // lines may break between any two words
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  return text;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("likely orders: the slack is the delay of the wanted message behind the taken one") {
  CHECK(match_of(other, 500, 200).slack() == Duration{300});
  CHECK(match_of(other, 200, 500).slack() == Duration{0});
  CHECK(match_of(wanted, std::nullopt, std::nullopt).slack() == Duration{0});
  CHECK_FALSE(match_of(other, std::nullopt, 200).slack());
  CHECK_FALSE(match_of(std::nullopt, 500, std::nullopt).slack());
}

TEST_CASE("likely orders: the text has the result of each receive without a schedule") {
  CHECK(has(text_with(match_of(wanted, 5, 5)), "; the same happens without the schedule"));
  CHECK(has(text_with(match_of(std::nullopt, 5, std::nullopt)), "does not make this call, or it gets no message"));
  CHECK(has(text_with(match_of(other, std::nullopt, 5)), "is sent later or never"));
  CHECK(has(text_with(match_of(other, 5, 5)), "both orders are likely"));
  CHECK(has(text_with(match_of(other, 3'000'000, 1'000'000)), "0.000002000 s"));
}

TEST_CASE("likely orders: the text names the finding only if it happens without a schedule") {
  LikelyOrders orders;
  Finding finding;
  finding.id = finding_ids::deadlock_cycle;
  CHECK(has(text_of(orders, finding, "cluster:3"), "ends with another error"));
  orders.ends_well = true;
  CHECK(has(text_of(orders, finding, "cluster:3"), "ends well"));
  orders.is_same_finding = true;
  CHECK(has(text_of(orders, finding, "cluster:3"), "does the same (deadlock.cycle)"));
}

TEST_CASE("likely orders: as JSON, keys without a value are left out") {
  LikelyOrders orders;
  orders.matches = {match_of(other, 5'000'000, 2'000'000), match_of(std::nullopt, std::nullopt, std::nullopt)};
  const Json json = to_json(orders);
  REQUIRE(json.at("matches").size() == 2);
  CHECK(json.at("matches")[0].at("slack_seconds").get<double>() == Approx(3e-6));
  CHECK(json.at("matches")[0].at("taken").at("rank") == 2);
  CHECK_FALSE(json.at("matches")[1].contains("taken"));
  CHECK_FALSE(json.at("matches")[1].contains("slack_seconds"));
}

}  // namespace rehearse::app
