// SPDX-License-Identifier: MIT
//
// The cost model `ns3` without the program behind it: what it refuses. tests/packet/ns3_test.py runs it.
#include "simcore/ns3/ns3_cost_model.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "simcore/platform.hpp"

namespace ns3_cost_model_test {

using namespace rehearse;

namespace {

std::string refusal(const std::string& keys, const char* platform = "cluster:2") {
  const auto made = make_platform(platform);
  REQUIRE(bool(made));
  ModelOptions options;
  options.network = "ns3";
  options.packet = keys;
  auto model = make_cost_model(options, made.value());
  return model ? "accepted" : model.error().text;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("cost model ns3: keys that ns-3 does not have are refused by name", "[ns3]") {
  for (const std::string key :
       {"switching=cut-through", "cut_bytes=64", "lossless=credit", "buffer=64KiB", "xoff=64KiB", "xon=32KiB",
        "connect=1", "slow_start_after_idle=0", "arbitration=fifo"}) {
    const std::string text = refusal("mtu=1500," + key);
    CHECK(contains(text, "key '" + key.substr(0, key.find('=')) + "' given; network model ns3 accepts transport, mtu"));
  }
}

TEST_CASE("cost model ns3: values that ns-3 does not have are refused by name", "[ns3]") {
  CHECK(contains(refusal("transport=raw"), "accepts transport=tcp"));
  CHECK(contains(refusal("transport=rdma"), "accepts transport=tcp"));
  CHECK(contains(refusal("congestion=none"), "accepts reno, newreno, cubic, dctcp"));
  CHECK(contains(refusal("header=44"), "header=44 given; network model ns3 accepts 52"));
  CHECK(contains(refusal("framing=0"), "framing=0 given; network model ns3 accepts 2"));
  CHECK(contains(refusal("window=2GiB"), "accepts up to 1 GiB"));
  CHECK(contains(refusal("mtu=abc"), "--packet: mtu: 'abc' given"));
}

}  // namespace ns3_cost_model_test
