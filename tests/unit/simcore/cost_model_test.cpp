// SPDX-License-Identifier: MIT
//
// Cost models: closed forms.
#include "simcore/cost_model.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/support/temporary_file.hpp"

namespace cost_model_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

Platform load(const std::string& inside) {
  const TemporaryFile file("<platform version='4.1'><zone id='z' routing='Full'>" + inside + "</zone></platform>");
  auto platform = make_platform(file.path());
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

// Two hosts a, b and one more pair c, d; the link of a and b is `ab`.
Platform two_pairs(const std::string& ab, const std::string& cd = "ab") {
  return load("<host id='a' speed='1Gf' core='2'/><host id='b' speed='1Gf'/>"
              "<host id='c' speed='1Gf'/><host id='d' speed='1Gf'/>" +
              ab +
              "<route src='a' dst='b'><link_ctn id='ab'/></route>"
              "<route src='c' dst='d'><link_ctn id='" +
              cd + "'/></route>");
}

// Runs until nothing is active; the end of each activity in seconds.
std::map<std::uint32_t, double> run(CostModel& model) {
  std::map<std::uint32_t, double> ends;
  while (model.is_busy()) {
    const TimePoint date = model.next_date();
    REQUIRE(date != CostModel::never);
    std::vector<Ended> ended;
    model.advance(date, ended);
    for (const Ended& end : ended) ends[end.activity.value] = date.seconds();
  }
  return ends;
}

std::unique_ptr<CostModel> make(const std::string& name, const Platform& platform) {
  return std::move(make_cost_model({.network = name}, platform).value());
}

double single(const std::string& model, const Platform& platform, std::uint64_t bytes) {
  const auto costs = make(model, platform);
  costs->start(Transfer{{0}, {1}, static_cast<double>(bytes)}, {});
  return run(*costs).at(0);
}

// To 1e-9 relative, and the picosecond that time is counted in.
bool is_close(double actual, double expected) { return std::abs(actual - expected) <= 1e-9 * expected + 2e-12; }

}  // namespace

TEST_CASE("cost model: single transfers have their closed form", "[simcore][network]") {
  const Platform platform = two_pairs("<link id='ab' bandwidth='1Mbps' latency='10ms'/>");
  CHECK(is_close(single("lv08", platform, 100000), 0.1301 + 1e5 * 1.05 / (0.97 * 125000)));
  CHECK(is_close(single("cm02", platform, 100000), 0.01 + 1e5 * 1.05 / 125000));
  CHECK(is_close(single("raw", platform, 100000), 0.01 + 1e5 / 125000));
  CHECK(is_close(single("smpi", platform, 100000), 0.116436 + 1e5 * 1.05 / (0.940694 * 125000)));
  CHECK(is_close(single("smpi", platform, 257), 0.0201467 + 257 * 1.05 / (0.812084 * 125000)));
  CHECK(is_close(single("smpi", platform, 258), 0.0195341 + 258 * 1.05 / (0.338112 * 125000)));
  CHECK(is_close(single("lv08", platform, 0), 0.1301));
  CHECK(is_close(single("raw", platform, 0), 0.01));
}

TEST_CASE("cost model: a full-duplex link has no cross-traffic with itself", "[simcore][network]") {
  const Platform platform = load("<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
                                 "<link id='ab' bandwidth='1MBps' latency='1ms' sharing_policy='SPLITDUPLEX'/>"
                                 "<route src='a' dst='b'><link_ctn id='ab' direction='UP'/></route>");
  CHECK(is_close(single("cm02", platform, 1000000), 0.001 + 1));
}

TEST_CASE("cost model: the window bounds a long fat link", "[simcore][network]") {
  const Platform platform = two_pairs("<link id='ab' bandwidth='10Gbps' latency='100ms'/>");
  CHECK(is_close(single("cm02", platform, 1'250'000'000), 0.1 + 1.25e9 / (4194304 / 0.2)));
}

TEST_CASE("cost model: flows share a link by weight and take over freed bandwidth", "[simcore][network]") {
  const Platform platform = two_pairs("<link id='ab' bandwidth='1MBps' latency='1ms'/>");
  const auto costs = make("raw", platform);
  costs->start(Transfer{{0}, {1}, 1'000'000}, {});
  costs->start(Transfer{{2}, {3}, 500'000}, {});
  const auto ends = run(*costs);
  CHECK(is_close(ends.at(1), 1.001));
  CHECK(is_close(ends.at(0), 1.501));
}

TEST_CASE("cost model: flows on a fatpipe do not disturb each other", "[simcore][network]") {
  for (const char* model : {"lv08", "smpi", "cm02", "raw"}) {
    const Platform platform = two_pairs("<link id='ab' bandwidth='1MBps' latency='1ms' sharing_policy='FATPIPE'/>");
    const auto costs = make(model, platform);
    costs->start(Transfer{{0}, {1}, 1'000'000}, {});
    costs->start(Transfer{{2}, {3}, 1'000'000}, {});
    const double alone = single(model, platform, 1'000'000);
    for (const auto& [activity, end] : run(*costs)) CHECK(end == alone);
  }
}

TEST_CASE("cost model: simultaneous starts are shared correctly", "[simcore][network]") {
  // Three flows on four links; an incremental solver that only follows each flow's first link gets
  // this wrong.
  const Platform platform = load(R"(
    <host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>
    <host id="d" speed="1f"/><host id="e" speed="1f"/><host id="f" speed="1f"/>
    <link id="l0" bandwidth="5MBps" latency="1ms"/> <link id="l1" bandwidth="5MBps" latency="1ms"/>
    <link id="l2" bandwidth="5MBps" latency="1ms"/> <link id="l3" bandwidth="2MBps" latency="1ms"/>
    <route src="a" dst="b"><link_ctn id="l3"/></route>
    <route src="c" dst="d"><link_ctn id="l1"/><link_ctn id="l0"/><link_ctn id="l2"/></route>
    <route src="e" dst="f"><link_ctn id="l1"/><link_ctn id="l2"/><link_ctn id="l3"/></route>)");
  const auto costs = make("raw", platform);
  costs->start(Transfer{{0}, {1}, 100'000}, {});
  costs->start(Transfer{{2}, {3}, 300'000}, {});
  costs->start(Transfer{{4}, {5}, 300'000}, {});
  const auto ends = run(*costs);
  // From 1 ms: l3 gives 1 MB/s to the first. From 3 ms: the last has 1 MB/s of l3 and the second 4.
  CHECK(is_close(ends.at(1), 0.003 + 0.3 / 4));
  const double first_end = 0.003 + (0.1 - 0.002 * 2) / 1;
  CHECK(is_close(ends.at(0), first_end));
  CHECK(is_close(ends.at(2), first_end + (0.3 - (first_end - 0.003)) / 2));
}

TEST_CASE("cost model: computations share the cores of their host", "[simcore][compute]") {
  const Platform platform = two_pairs("<link id='ab' bandwidth='1MBps'/>");
  const auto costs = make("smpi", platform);
  for (int i = 0; i < 2; ++i) costs->start(Computation{{0}, 1e9}, {});
  const auto both = run(*costs);
  CHECK(both.at(0) == 1);
  CHECK(both.at(1) == 1);
  const auto crowded = make("smpi", platform);
  for (int i = 0; i < 3; ++i) crowded->start(Computation{{0}, 1e9}, {});
  for (const auto& [activity, end] : run(*crowded)) CHECK(is_close(end, 1.5));
}

TEST_CASE("cost model: unknown models and missing routes are reported, and a date out of range never comes",
          "[simcore][network]") {
  const Platform platform = two_pairs("<link id='ab' bandwidth='1Bps' latency='1ms'/>");
  CHECK_THAT(make_cost_model({.network = "ib"}, platform).error().text,
             Catch::Contains("'ib'") && Catch::Contains("lv08, smpi"));
  const auto costs = make("smpi", platform);
  CHECK_FALSE(costs->start(Transfer{{0}, {2}, 1}, {}).has_value());
  CHECK_FALSE(costs->latency({0}, {2}, {}).has_value());
  CHECK(costs->latency({0}, {1}, {})->seconds() == 0.001);
  costs->start(Transfer{{0}, {1}, static_cast<double>(std::uint64_t{1} << 40)}, {});
  std::vector<Ended> ended;
  costs->advance(costs->next_date(), ended);
  CHECK(costs->next_date() == CostModel::never);
  CHECK(costs->is_busy());
}

}  // namespace cost_model_test
