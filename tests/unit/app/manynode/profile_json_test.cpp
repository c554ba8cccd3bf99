// SPDX-License-Identifier: MIT
//
// Profiles and laws as JSON: what is written is read again, and each fault has its place.
#include <catch2/catch.hpp>
#include <cmath>

#include "app/manynode_profile.hpp"
#include "manynode/random.hpp"
#include "simcore/support/portable_math.hpp"

namespace rehearse::app::profile_json_test {
namespace {

// Two markers on three ranks: one with two modes in a period and common effects, one that is constant.
manynode::Profile some_profile() {
  manynode::SampleTable table;
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    manynode::Series alternating{rank, {}}, constant{rank, {}};
    for (std::uint32_t i = 0; i < 150; ++i) {
      const double common = 0.05 * portable_normal_quantile(manynode::uniform({1, 0, 0, 0, i}));
      const double own = 0.02 * portable_normal_quantile(manynode::uniform({1, 0, rank, 1, i}));
      alternating.executions.push_back({i, (i % 2 == 0 ? 1e-3 : 3e-3) * std::exp(common + own)});
      constant.executions.push_back({i, 2e-3});
    }
    table.markers["alternating"].push_back(std::move(alternating));
    table.markers["constant"].push_back(std::move(constant));
  }
  table.ranks = 3;
  auto profile = manynode::analyse(table, std::nullopt, {});
  REQUIRE(profile);
  profile.value().scaling = manynode::ScalingFit{"log2(P)", 1, 2, 8, 64};
  profile.value().markers[0].memory = manynode::MemoryShare{0.5, 3};
  return profile.value();
}

Json changed(const std::string& from, const std::string& to) {
  std::string text = to_json(some_profile()).dump();
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const auto json = parse_json(text);
  REQUIRE(json);
  return json.value();
}

std::string fault_of(const Json& json) {
  const auto profile = profile_from_json(json);
  return profile ? "" : profile.error().text;
}

}  // namespace

TEST_CASE("profile JSON: a profile is read as it was written", "[manynode]") {
  const Json written = to_json(some_profile());
  const auto parsed = parse_json(written.dump());
  REQUIRE(parsed);
  const auto read = profile_from_json(parsed.value());
  INFO((read ? "" : read.error().text));
  REQUIRE(read);
  CHECK(to_json(read.value()).dump() == written.dump());
  const auto* marker = read.value().find_marker("alternating", 0);
  REQUIRE(marker != nullptr);
  CHECK(marker->order.kind == manynode::ModeOrder::Kind::period);
  CHECK(marker->effects->are_significant);
  CHECK(marker->modes[0].residuals);
  CHECK(read.value().find_marker("alternating", 1) == nullptr);
}

TEST_CASE("profile JSON: a fault names its place, its value and what is accepted", "[manynode]") {
  CHECK(fault_of(Json::object()) == "no 'rehearse_profile', expected a profile of rehearse profile analyse");
  CHECK(fault_of(changed("\"rehearse_profile\":1", "\"rehearse_profile\":2")) == "rehearse_profile: 2, expected 1");
  CHECK(
      fault_of(changed("\"rule\":\"all\"", "\"rule\":\"some\"")).starts_with("cluster 0: rule 'some': expected all,"));
  CHECK(fault_of(changed("\"kind\":\"period\"", "\"kind\":\"often\"")) ==
        "marker 'alternating': order: kind: 'often', expected constant, period, markov or independent");
  CHECK(fault_of(changed("\"period\":[0", "\"period\":[7")) ==
        "marker 'alternating': order: period: 7, expected a whole number from 0 to 1");
  CHECK(fault_of(changed("\"quantiles\":[[", "\"quantiles\":[[2],["))
            .ends_with("': mode 0: quantiles: [2], expected 2 elements"));
  CHECK(fault_of(changed("\"weight\":0.5", "\"weight\":0.4")) ==
        "marker 'alternating': weights of modes add up to 0.9, expected 1");
  CHECK(fault_of(changed("\"term\":\"log2(P)\"", "\"term\":\"P^2\"")).starts_with("scaling: term: 'P^2', expected 1,"));
  CHECK(read_profile("none.json").error().text ==
        "none.json: cannot be read, expected a profile of rehearse profile analyse");
}

TEST_CASE("profile JSON: laws are read by name, values and quantiles", "[manynode]") {
  const auto law = [](const char* text) {
    const auto json = parse_json(text);
    REQUIRE(json);
    return law_from_json(json.value());
  };
  const auto exponential = law(R"({"law": "exponential", "mean": 0.001, "shift": 0.004})");
  REQUIRE(exponential);
  CHECK(exponential.value().mean() == Approx(0.005));
  CHECK(to_json(exponential.value()).dump() == R"({"law":"exponential","mean":0.001,"shift":0.004})");
  CHECK(law(R"({"law": "empirical", "values": [3, 1, 2]})").value().mean() == 2);
  CHECK(law(R"({"law": "empirical", "quantiles": [[0, 1], [1, 3]]})").value().mean() == Approx(2));
  CHECK(law(R"({"law": "normal", "mean": 1})").error().text == "law normal: no parameter 'sd'");
  CHECK(law(R"({"law": "normal", "mean": "x", "sd": 1})").error().text == "law normal: mean: \"x\", expected a number");
  CHECK(law(R"({"law": "empirical", "values": []})").error().text == "law empirical: no values, expected at least one");
  CHECK(law(R"({"mean": 1})").error().text == "law: no 'law'");
}

}  // namespace rehearse::app::profile_json_test
