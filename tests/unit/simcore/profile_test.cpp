// SPDX-License-Identifier: MIT
//
// Profiles: what their text means, time integrated, and chance that can be repeated.
#include "simcore/profile.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace profile_test {

using namespace rehearse;

namespace {

Profile parsed(const std::string& text, double periodicity = 0) {
  auto profile = parse_profile(text, "trace", 1, periodicity);
  if (!profile) FAIL(profile.error().text);
  return std::move(profile.value());
}

std::string mistake_in(const std::string& text, double periodicity = 0) {
  const auto profile = parse_profile(text, "trace", 7, periodicity);
  return profile ? "nothing" : profile.error().text;
}

// The first points of a walk, as date=value.
std::string walk(const Profile& profile, int steps, std::uint64_t seed = 0) {
  std::string text;
  ProfileCursor cursor(profile, seed);
  for (int i = 0; i < steps; ++i, cursor.pop()) {
    if (cursor.next_date() == Profile::never) return text + "end";
    text += std::to_string(cursor.next_date()) + "=" + std::to_string(cursor.next_value()) + " ";
  }
  return text;
}

// By adding up the constant stretches.
double slow_integral(const Profile& profile, double date, double before) {
  double sum = 0, at = 0, value = before;
  for (ProfileCursor cursor(profile, 0); cursor.next_date() < date; cursor.pop()) {
    sum += (cursor.next_date() - at) * value;
    at = cursor.next_date();
    value = cursor.next_value();
  }
  return sum + (date - at) * value;
}

}  // namespace

TEST_CASE("profile: a trace happens once, again after a pause, or periodically", "[simcore][profile]") {
  CHECK(walk(parsed("# comment\n0 1\n 2.5 0.5 % more\n\n"), 9) == "0.000000=1.000000 2.500000=0.500000 end");
  CHECK(walk(parsed("1 0\n2 1\nLOOPAFTER 8"), 4) ==
        "1.000000=0.000000 2.000000=1.000000 11.000000=0.000000 12.000000=1.000000 ");
  const std::string each_five = "1.000000=0.000000 2.000000=1.000000 6.000000=0.000000 ";
  CHECK(walk(parsed("PERIODICITY 5\n1 0\n2 1\n"), 3) == each_five);
  CHECK(walk(parsed("1 0\n2 1\n", 5), 3) == each_five);
  CHECK(walk(parsed("1 0\n2 -1\n3 2\n"), 9) == "1.000000=0.000000 3.000000=2.000000 end");
}

TEST_CASE("profile: it has a value and a next change at each date", "[simcore][profile]") {
  const Profile profile = parsed("1 3\n4 0.5\nLOOPAFTER 6");
  CHECK(profile.value_at(0.5, 1) == 1);
  CHECK(profile.value_at(1, 1) == 3);
  CHECK(profile.value_at(9, 1) == 0.5);
  CHECK(profile.value_at(10.5, 1) == 0.5);
  CHECK(profile.value_at(11, 1) == 3);
  CHECK(profile.next_change(0) == 1);
  CHECK(profile.next_change(1) == 4);
  CHECK(profile.next_change(4) == 11);
  CHECK(parsed("1 3").next_change(1) == Profile::never);
}

TEST_CASE("profile: the integral over any number of periods equals the sum of its stretches", "[simcore][profile]") {
  std::mt19937 random(7);
  const auto real = [&](double high) { return std::uniform_real_distribution<>(0, high)(random); };
  for (int round = 0; round < 200; ++round) {
    std::vector<ProfilePoint> points;
    double date = round % 3 == 0 ? 0 : real(2);
    for (int i = 0, count = 1 + round % 7; i < count; ++i, date += real(3))
      points.push_back({date, round % 5 == i ? 0 : real(4)});
    const Profile profile(points, round % 2 == 0 ? 0 : points.back().date + real(2) + 0.1);
    for (int i = 0; i < 20; ++i) {
      const double until = real(80), sum = profile.integral(until, 1.5);
      CHECK(sum == Approx(slow_integral(profile, until, 1.5)).epsilon(1e-12));
      // Where nothing is done for a while, rounding decides on which side of it the date is.
      if (profile.value_at(until, 1.5) == 0) continue;
      CHECK(profile.inverse_integral(sum, 1.5) == Approx(until).epsilon(1e-9));
    }
  }
}

TEST_CASE("profile: an integral that is never reached has no date", "[simcore][profile]") {
  CHECK(parsed("1 0").inverse_integral(1.5, 1) == Profile::never);
  CHECK(parsed("1 0").inverse_integral(0.5, 1) == 0.5);
  CHECK(parsed("0 0\nLOOPAFTER 5").inverse_integral(1e-3, 1) == Profile::never);
  CHECK(parsed("0 2\n5 0\nLOOPAFTER 5").inverse_integral(10, 1) == 5);
  CHECK(parsed("0 2\n5 0\nLOOPAFTER 5").inverse_integral(20, 1) == 15);
}

TEST_CASE("profile: a random profile depends only on its seed", "[simcore][profile]") {
  const Profile profile = parsed("STOCHASTIC LOOP\nEXP 2 UNIF 1 3\nDET 1 NORM 10 1\n");
  CHECK(walk(profile, 100, 5) == walk(profile, 100, 5));
  CHECK(walk(profile, 100, 5) != walk(profile, 100, 6));
  double sum = 0, last = 0;
  ProfileCursor cursor(profile, 1);
  for (int i = 0; i < 20'000; ++i, cursor.pop()) {
    CHECK(cursor.next_date() >= last);
    last = cursor.next_date();
    sum += cursor.next_value();
  }
  CHECK(last == Approx(10'000 * 1.5).epsilon(0.03));
  CHECK(sum == Approx(10'000 * 12).epsilon(0.01));
  CHECK(walk(parsed("STOCHASTIC\nDET 4 DET 2\nDET 1 DET 3"), 9) == "4.000000=2.000000 5.000000=3.000000 end");
}

TEST_CASE("profile: a wrong line is reported with the accepted form", "[simcore][profile]") {
  using Catch::Contains;
  CHECK_THAT(mistake_in("0 1\nfast 2"), Contains("trace:8:") && Contains("'fast'") && Contains("DATE VALUE"));
  CHECK_THAT(mistake_in("5 1\n4 2"), Contains("trace:8:") && Contains("must not fall"));
  CHECK_THAT(mistake_in("-1 1"), Contains("negative"));
  CHECK_THAT(mistake_in("0 nan"), Contains("DATE VALUE"));
  CHECK_THAT(mistake_in("0 1e999"), Contains("DATE VALUE"));
  CHECK_THAT(mistake_in("# nothing"), Contains("at least one line"));
  CHECK_THAT(mistake_in("PERIODICITY 3\n0 1\n4 1"), Contains("shorter than the last date"));
  CHECK_THAT(mistake_in("0 1\nLOOPAFTER 0"), Contains("at least 1 ns"));
  CHECK_THAT(mistake_in("0 1\nLOOPAFTER 3", 4), Contains("one of them"));
  CHECK_THAT(mistake_in("STOCHASTIC LOOP\nDET 0 DET 1"), Contains("no time passes"));
  CHECK_THAT(mistake_in("STOCHASTIC\nDET 0"), Contains("EXP rate"));
  CHECK_THAT(mistake_in("STOCHASTIC\nUNIF 3 1 DET 1"), Contains("EXP rate"));
  CHECK_THAT(mistake_in("STOCHASTIC\nDET 1 DET 1", 4), Contains("STOCHASTIC LOOP"));
  CHECK_THAT(mistake_in("0 1\nSTOCHASTIC"), Contains("first line"));
  CHECK_THAT(read_profile("/no/such", 0).error().text, Contains("'/no/such'"));
}

}  // namespace profile_test
