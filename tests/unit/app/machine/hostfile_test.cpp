// SPDX-License-Identifier: MIT
//
// Host files: the host of each rank.
#include "app/hostfile.hpp"

#include <catch2/catch.hpp>

#include "app/machine.hpp"
#include "tests/support/temporary_file.hpp"

namespace rehearse::app {
namespace {

Platform cluster() { return std::move(make_platform("cluster:3").value()); }

}  // namespace

TEST_CASE("host file: ranks fill the slots in order and begin again", "[cli]") {
  const testing::TemporaryFile file("# where to run\nnode-2:2\n\nnode-0 slots=1 # one\nnode-1\n");
  auto placement = read_hostfile(file.path(), cluster(), 6);
  REQUIRE(placement);
  CHECK(placement.value() == std::vector<HostId>{{2}, {2}, {0}, {1}, {2}, {2}});
}

TEST_CASE("host file: the error about a wrong line has its number", "[cli]") {
  const std::string line =
      GENERATE("node-0:0", "node-0:x", "node-0 2", "node-0 slots=2 3", "node-0:1 slots=2", "node-9");
  const testing::TemporaryFile file("node-1\n" + line + "\n");
  const auto placement = read_hostfile(file.path(), cluster(), 2);
  REQUIRE_FALSE(placement);
  CHECK(placement.error().text.starts_with(file.path() + ":2: "));
}

TEST_CASE("host file: an empty file is an error", "[cli]") {
  const testing::TemporaryFile file("# nothing\n");
  CHECK_FALSE(read_hostfile(file.path(), cluster(), 2));
}

TEST_CASE("machine: without a platform there is one host for each rank", "[cli]") {
  auto machine = make_machine({}, 5);
  REQUIRE(machine);
  CHECK(machine.value()->platform.hosts().size() == 5);
}

}  // namespace rehearse::app
