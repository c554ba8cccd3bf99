// SPDX-License-Identifier: MIT
//
// The timed driver: accesses to files on disks. All dates are closed forms.
#include <catch2/catch.hpp>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "simcore/file_system.hpp"
#include "tests/support/cost_runs.hpp"

namespace engine_storage_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

constexpr DiskId x{0}, y{1};  // of hosts a and b; c has none

Platform with_disks() {
  return platform_of("<host id='a' speed='1Gf'><disk id='x' read_bw='100Bps' write_bw='40Bps'/></host>"
                     "<host id='b' speed='1Gf'><disk id='y' read_bw='100Bps' write_bw='50Bps'/></host>"
                     "<host id='c' speed='1Gf'/>"
                     "<link id='l' bandwidth='80Bps' latency='1s'/><link id='m' bandwidth='100Bps' latency='2s'/>"
                     "<route src='a' dst='b'><link_ctn id='l'/></route>"
                     "<route src='a' dst='c'><link_ctn id='m'/></route>"
                     "<route src='b' dst='c'><link_ctn id='l'/></route>");
}

Result<RunResult> try_run(const FileSystem& files, std::vector<std::function<void()>> bodies) {
  const Platform platform = with_disks();
  FiberProgram program(std::move(bodies));
  EngineOptions options;
  options.file_system = files;
  Engine engine(program, platform, costs_of(platform, "raw"), std::move(options));
  return engine.run();
}

double seconds(const FileSystem& files, std::vector<std::function<void()>> bodies) {
  const auto result = try_run(files, std::move(bodies));
  REQUIRE(result);
  return result.value().end.seconds();
}

// A blocking access to consecutive bytes.
std::function<void()> access(bool is_write, std::uint64_t begin, std::uint64_t bytes) {
  return [=] {
    const std::vector<FileExtent> extents = {{begin, bytes}};
    ask(StorageAccess{{1}, is_write, extents, true});
  };
}

}  // namespace

TEST_CASE("file system: stripes go to the disks in turn", "[simcore][engine]") {
  const std::vector<FileExtent> whole = {{0, 100}}, parts = {{5, 10}, {35, 1}};
  CHECK(striped_bytes(whole, 10, 3) == std::vector<std::uint64_t>{40, 30, 30});
  CHECK(striped_bytes(parts, 10, 3) == std::vector<std::uint64_t>{5 + 1, 5, 0});
  CHECK(striped_bytes(whole, 1000, 2) == std::vector<std::uint64_t>{100, 0});
}

TEST_CASE("file system: an access to the own disk takes the time of the disk", "[simcore][engine]") {
  CHECK(is_close(seconds({}, {access(true, 0, 100)}), 2.5));
  CHECK(is_close(seconds({}, {access(false, 0, 100)}), 1));
  CHECK(is_close(seconds({{x}}, {access(false, 0, 100)}), 1));
  // Each actor has its own disk: 2.5 s on a, 2 s on b.
  CHECK(is_close(seconds({}, {access(true, 0, 100), access(true, 0, 100)}), 2.5));
}

TEST_CASE("file system: an access to another host is a stream and a message of the other direction",
          "[simcore][engine]") {
  CHECK(is_close(seconds({{y}}, {access(true, 0, 160)}), 1 + 160.0 / 50 + 1));
  CHECK(is_close(seconds({{y}}, {access(false, 0, 160)}), 1 + 1 + 160.0 / 80));
}

TEST_CASE("file system: the pieces of an access take their time at once", "[simcore][engine]") {
  CHECK(is_close(seconds({{x, y}, 10}, {access(true, 0, 40)}), 1 + 20.0 / 50 + 1));
  CHECK(is_close(seconds({{x, y}, 10}, {access(true, 0, 10)}), 10.0 / 40));
}

TEST_CASE("file system: actors share a disk and the network to it", "[simcore][engine]") {
  // Host b writes to its own disk from 0 s on, the stream of host a comes at 1 s. b: 50 bytes until 1 s, then 25 B/s.
  CHECK(is_close(seconds({{y}}, {access(true, 0, 50), access(true, 50, 100)}), 3 + 1));
}

TEST_CASE("file system: a started access ends while its actor computes", "[simcore][engine]") {
  const auto body = [] {
    const std::vector<FileExtent> extents = {{0, 100}};
    ask(StorageAccess{{1}, true, extents, false});
    ask(Sleep{Duration::from_seconds(2)});
    const std::vector<RequestId> requests = {{1}};
    CHECK(ask(Observe{requests, Quantifier::all, true}).completions.size() == 1);
  };
  CHECK(is_close(seconds({}, {body}), 2.5));
}

TEST_CASE("file system: a request that is released does not keep its actor", "[simcore][engine]") {
  const auto body = [] {
    const std::vector<FileExtent> extents = {{0, 100}};
    ask(StorageAccess{{1}, true, extents, false});
    ask(Release{{1}});
    ask(Sleep{Duration::from_seconds(5)});
  };
  CHECK(is_close(seconds({}, {body}), 5));
}

TEST_CASE("file system: a host without a disk is an error by name", "[simcore][engine]") {
  const auto result = try_run({}, {[] {}, [] {}, access(true, 0, 1)});
  REQUIRE(!result);
  CHECK(result.error().text.find("host 'c' has no disk") != std::string::npos);
}

TEST_CASE("file system: without one, accesses take no time", "[simcore][engine]") {
  const Platform platform = with_disks();
  FiberProgram program({access(true, 0, 100)});
  Engine engine(program, platform, costs_of(platform, "raw"), {});
  const auto result = engine.run();
  REQUIRE(result);
  CHECK(result.value().end == TimePoint{});
}

}  // namespace engine_storage_test
