// SPDX-License-Identifier: MIT
//
// Programs, words and settings of an attached job; keys of --packet for the kernel; messages between its processes.
#include "app/attach/launch_plan.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "app/attach/channel.hpp"
#include "app/attach/kernel_keys.hpp"

namespace rehearse::app {
namespace {

std::string value_of(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& setting : environment)
    if (setting.starts_with(name + "=")) return setting.substr(name.size() + 1);
  return "not set";
}

LaunchSubject subject_of(LaunchKind kind) {
  LaunchSubject subject;
  subject.kind = kind;
  subject.program = {"/usr/bin/prog", "-x"};
  subject.hosts = {"a", "b"};
  subject.placement = {0, 1, 0};
  subject.folder = "/job";
  return subject;
}

std::string fault_of_keys(const std::string& keys) {
  const auto read = split_keys(keys, 1);
  return read ? "accepted" : read.error().text;
}

}  // namespace

TEST_CASE("launch plan: each rank gets a copy on its host, which knows the others") {
  const LaunchPlan plan = make_plan(subject_of(LaunchKind::copies));
  REQUIRE(plan.programs.size() == 3);
  const PlannedProgram& last = plan.programs[2];
  CHECK(last.host == 0);
  CHECK(last.words == std::vector<std::string>{"/usr/bin/prog", "-x"});
  CHECK(value_of(last.environment, "REHEARSE_RANK") == "2");
  CHECK(value_of(last.environment, "REHEARSE_SIZE") == "3");
  CHECK(value_of(last.environment, "REHEARSE_ADDRESS") == "10.0.0.1");
  CHECK(value_of(last.environment, "REHEARSE_ADDRESSES") == "10.0.0.1,10.0.0.2,10.0.0.1");
  CHECK(value_of(last.environment, "REHEARSE_HOSTS") == "a,b,a");
  CHECK(value_of(last.environment, "LD_PRELOAD") == "not set");
}

TEST_CASE("launch plan: a launcher runs once, with the slots of each host") {
  for (const auto& [kind, list] :
       {std::pair(LaunchKind::openmpi, "a slots=2\nb slots=1\n"), std::pair(LaunchKind::mpich, "a:2\nb:1\n")}) {
    const LaunchPlan plan = make_plan(subject_of(kind));
    REQUIRE(plan.programs.size() == 1);
    CHECK(plan.programs[0].name == "prog");
    CHECK(std::ranges::count(plan.files, std::pair<std::string, std::string>(host_list_file, list)) == 1);
    CHECK(value_of(plan.programs[0].environment, "REHEARSE_HOSTS") == "a,a,b");
    const char* agent = kind == LaunchKind::openmpi ? "OMPI_MCA_plm_rsh_agent" : "HYDRA_LAUNCHER_EXEC";
    CHECK(value_of(plan.programs[0].environment, agent) == "/job/agent");
    CHECK(value_of(plan.agent_environment, "TMPDIR") == "/job/tmp");
  }
}

TEST_CASE("launch plan: only a factor above 1 slows programs down") {
  LaunchSubject subject = subject_of(LaunchKind::once);
  subject.factor = 2.5;
  subject.slowing_library = "/lib/slow.so";
  subject.realtime_ns = 5;
  subject.monotonic_ns = 6;
  const LaunchPlan plan = make_plan(subject);
  CHECK(value_of(plan.programs[0].environment, "REHEARSE_DILATION") == "2.5 5 6");
  CHECK(value_of(plan.agent_environment, "LD_PRELOAD") == "/lib/slow.so");
}

TEST_CASE("launch plan: settings replace those of the caller, and libraries come first") {
  const auto made = environment_with({"A=1", "LD_PRELOAD=/x.so", "B=2"}, {"B=3", "LD_PRELOAD=/y.so", "C=4"});
  CHECK(made == std::vector<std::string>{"A=1", "LD_PRELOAD=/y.so:/x.so", "B=3", "C=4"});
}

TEST_CASE("launch plan: launchers are known by name and version") {
  CHECK(is_launcher("/usr/bin/mpirun"));
  CHECK(is_launcher("mpiexec.hydra"));
  CHECK_FALSE(is_launcher("./my_mpirun"));
  CHECK(launch_kind("mpirun", "mpirun.openmpi (OpenRTE) 4.1.4\n").value() == LaunchKind::openmpi);
  CHECK(launch_kind("mpirun", "mpirun (Open MPI) 4.0.3\n").value() == LaunchKind::openmpi);
  CHECK(launch_kind("mpiexec", "HYDRA build details:\n").value() == LaunchKind::mpich);
  CHECK_THAT(launch_kind("mpirun", "mpirun (Open MPI) 5.0.1\n").error().text, Catch::Contains("Open MPI 5.0.1;"));
  CHECK_THAT(launch_kind("mpirun", "rehearse 0.1.0").error().text, Catch::Contains("--start"));
}

TEST_CASE("kernel keys: the model gets its own, the kernel its settings, and others are refused") {
  const auto read = split_keys("queue=64KiB,congestion=reno,ecn=30000,mtu=9000,sack=0", 1);
  REQUIRE(read);
  CHECK(read.value().model == "transport=raw,queue=64KiB,ecn=30000,mtu=9000");
  CHECK(read.value().mtu == 9000);
  REQUIRE(read.value().settings.size() == 3);
  CHECK(read.value().settings[0].path == "ipv4/tcp_congestion_control");
  CHECK(read.value().settings[1].path == "ipv4/tcp_ecn");
  CHECK(read.value().settings[2].value == "0");
  CHECK_THAT(fault_of_keys("window=64KiB"), Catch::Contains("key 'window' has no meaning"));
  CHECK_THAT(fault_of_keys("transport=rdma"), Catch::Contains("key 'transport'"));
  CHECK_THAT(fault_of_keys("mtu=10"), Catch::Contains("mtu: '10' given; accepted: 68 to"));
  CHECK_THAT(fault_of_keys("sack=2"), Catch::Contains("accepted: 0, 1"));
  CHECK_THAT(fault_of_keys("min_rto=-1"), Catch::Contains("accepted: a time"));
  CHECK_THAT(fault_of_keys("congestion=none"), Catch::Contains("accepted: reno"));
  CHECK_THAT(fault_of_keys("queue"), Catch::Contains("KEY=VALUE"));
}

TEST_CASE("kernel keys: the least timeout of retransmissions is stretched as all times are") {
  const auto plain = split_keys("", 10);
  REQUIRE(plain);
  REQUIRE(plain.value().settings.size() == 1);
  CHECK(plain.value().settings[0].value == "2000000");
  CHECK_FALSE(plain.value().settings[0].is_required);
  const auto own = split_keys("min_rto=10ms", 3);
  REQUIRE(own);
  CHECK(own.value().settings[0].value == "30000");
  CHECK(own.value().settings[0].is_required);
  CHECK(split_keys("", 1).value().settings.empty());
}

TEST_CASE("channel: words, also empty ones, and files arrive") {
  auto ends = make_channel();
  REQUIRE(ends);
  const std::vector<std::string> words = {"spawn", "", "a b", std::string(100'000, 'x')};
  CHECK(unpack(pack(words)) == words);
  REQUIRE(send_message(ends.value().first.get(), words, {0, 1, 2}));
  auto received = receive_message(ends.value().second.get());
  REQUIRE(received);
  CHECK(received.value().words == words);
  CHECK(received.value().files.size() == 3);
  CHECK_FALSE(received.value().is_end);
  {
    auto others = make_channel();
    REQUIRE(others);
    FileHandle kept = std::move(others.value().second);
    { const FileHandle closed = std::move(others.value().first); }
    const auto end = receive_message(kept.get());
    REQUIRE(end);
    CHECK(end.value().is_end);
  }
}

}  // namespace rehearse::app
