// SPDX-License-Identifier: MIT
//
// Loaded programs: what is private to a rank, how a rank ends, what is refused.
#include "smpi/process.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "smpi/abi.hpp"
#include "tests/support/round_robin.hpp"

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

const std::string programs = REHEARSE_PROCESS_PROGRAMS;

LaunchSpec spec_of(const std::string& name, std::vector<std::string> arguments = {}, std::uint32_t ranks = 4) {
  LaunchSpec spec;
  spec.path = programs + "/" + name;
  spec.argv = {spec.path};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.environment = {"GREETING=hello", "PATH=/bin"};
  spec.ranks = ranks;
  spec.require_mpi = false;
  return spec;
}

std::unique_ptr<Program> load(const LaunchSpec& spec) {
  auto loaded = load_program(spec);
  if (!loaded) FAIL(loaded.error().text);
  return std::move(loaded.value());
}

tests::RoundRobinResult run(const LaunchSpec& spec) { return tests::run_round_robin(*load(spec)); }

}  // namespace

TEST_CASE("process: globals, statics, thread-local variables, errno and heap are private", "[smpi][process]") {
  const auto result = run(spec_of("globals", {"argument"}));
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    CHECK(result.output[rank] == "2 argument: 10 0 5 0 0 4 0");
    CHECK(result.actors[rank].exit_status == static_cast<int>(rank));
  }
}

TEST_CASE("process: strtok, rand, getopt, the environment and the calendar are private to a rank", "[smpi][process]") {
  const auto result = run(spec_of("libc_state", {"x", "-ab", "1", "--flag", "y", "--lo=2", "-b3"}));
  for (const std::string& output : result.output)
    CHECK(output == "a|b|10.042|a= b=1 0= l=2 b=3 x 2 3|hello 1 1 PATH=/bin 101");
}

TEST_CASE("process: exit handlers run in reverse order, and buffered output is written", "[smpi][process]") {
  for (const auto& [arguments, output, status] :
       {std::tuple{std::vector<std::string>{}, "e(m211)", 4}, {{"7"}, "e(m211)", 7}, {{"q"}, "e", 3}}) {
    const auto result = run(spec_of("at_exit", arguments));
    CHECK(result.actors[2].state == ActorOutcome::State::ended);
    CHECK(result.output[2] == output);
    CHECK(result.actors[2].exit_status == status);
  }
}

TEST_CASE("process: C++ statics, exceptions, streams and libraries are private to a rank", "[smpi][process]") {
  const auto result = run(spec_of("cpp_state"));
  REQUIRE(result.all_ended());
  for (const std::string& output : result.output)
    CHECK(output == "+global+static+u+u+u-u-u-udeep1154410\nerr-static-global");
}

TEST_CASE("process: all kinds of relocations of the linker are applied", "[smpi][process]") {
  const auto result = run(spec_of("linkage"));
  for (const std::string& output : result.output) CHECK(output == "3 3 2 42 43 43 1.5 9 0 1");
}

TEST_CASE("process: plugins that a rank opens are private to it, and their errors are reported", "[smpi][process]") {
  auto program = load(spec_of("plugin_user", {programs + "/lib"}));
  for (int life = 0; life < 2; ++life) {
    const auto result = tests::run_round_robin(*program);
    REQUIRE(result.all_ended());
    for (const std::string& output : result.output)
      CHECK(output == "[open 2721 1 1 over the border 1 plugin_count libprocess_plugin.so 1 3732 close] 1 [open 1711\n"
                      "1 not found\n1 undefined symbol: nobody_has_this\n"
                      "1 undefined symbol: no_such_function 1 1 1 1.5close] ");
    for (std::uint32_t rank = 0; rank < 4; ++rank) program->restart(ActorId{rank});
  }
}

TEST_CASE("process: each rank has its own wide characters and locales", "[smpi][process]") {
  const auto result = run(spec_of("wide"));
  const std::string more(5000, 'x');
  CHECK(result.output[0] == "C C.UTF-8 1 wide 1 text stream 2\n\u00e90 " + more);
  CHECK(result.output[1] == "C C 1 wide 1 text stream 2\n1 " + more);
}

TEST_CASE("process: a rank has the identity, random numbers, clocks, keys and pages of a process", "[smpi][process]") {
  const auto result = run(spec_of("identity")), again = run(spec_of("identity"));
  REQUIRE(result.all_ended());
  CHECK(result.output == again.output);
  std::set<std::string> chances;
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    std::istringstream lines(result.output[rank]);
    std::string names, chance, time, rest;
    std::getline(lines, names);
    std::getline(lines, chance);
    std::getline(lines, time);
    std::getline(lines, rest, '\0');
    CHECK(names == "node-0 0 1 1 1 1 1");
    chances.insert(chance);
    CHECK(time == "1 1 1 0");
    CHECK(rest == "000 11 1 0 ELF 011\n3");
  }
  CHECK(chances.size() == 4);
}

TEST_CASE("process: LD_LIBRARY_PATH of the program's environment is searched", "[smpi][process]") {
  LaunchSpec spec = spec_of("needs_elsewhere");
  auto refused = load_program(spec);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().text, Catch::Contains("needs the library libprocess_elsewhere.so, which is neither in"));
  spec.environment.push_back("LD_LIBRARY_PATH=/nowhere:" + programs + "/elsewhere");
  CHECK(run(spec).all_ended());
}

TEST_CASE("process: only rank 0 reads the standard input", "[smpi][process]") {
  const auto result = run(spec_of("input"));
  CHECK(result.all_ended());
  for (std::uint32_t rank = 1; rank < 4; ++rank) CHECK(result.output[rank].empty());
}

TEST_CASE("process: the crash of a rank is reported with its cause and place, and the others continue",
          "[smpi][process]") {
  struct Death {
    const char *how, *id, *what;
    bool there = true;  // the innermost frame is in die()
  };
  const Death death = GENERATE(values<Death>({
      {"n", "crash.segfault", "segmentation fault: invalid access to address 0 (null pointer)"},
      {"c", "crash.segfault", "segmentation fault: invalid access to address 0 (null pointer)"},
      {"z", "crash.fpe", "integer division by zero"},
      {"s", "crash.stack_overflow", "stack overflow: the stack of 8388608 bytes is used up", false},
      {"a", "crash.abort", "abort() was called"},
      {"A", "assertion.failed", ": void die(const char*): zero == 1"},
      {"t", "crash.exception", "uncaught exception std::runtime_error: no way out"},
      {"i", "crash.exception", "uncaught exception int"},
      {"f", "crash.heap", "which is not an allocated block"},
      {"d", "crash.heap", "which is already freed"},
      {"u", "crash.illegal_instruction", "illegal instruction"},
      {"k", "crash.signal", "the rank sent itself signal 15 (Terminated)"},
      {"p", "thread.deadlock", "all threads of the rank wait for each other: thread 0 in pthread_join", false},
      {"S", "unsupported.function", "system"},
  }));
  auto program = load(spec_of("deaths", {death.how}));
  for (int life = 0; life < 2; ++life) {
    const auto result = tests::run_round_robin(*program);
    REQUIRE(result.actors[0].state == ActorOutcome::State::failed);
    CHECK(result.actors[0].id == death.id);
    CHECK_THAT(result.actors[0].what, Catch::Contains(death.what));
    const CallDescription description = program->describe(ActorId{0});
    REQUIRE(description.frames.size() >= 2);
    if (death.there) CHECK(description.frames.front().function == "die(char const*)");
    CHECK_THAT(description.frames.front().file, Catch::EndsWith("deaths.cpp"));
    CHECK(description.frames.front().line > 0);
    for (std::uint32_t rank = 1; rank < 4; ++rank) CHECK(result.output[rank] == "fine");
    for (std::uint32_t rank = 0; rank < 4; ++rank) program->restart(ActorId{rank});
  }
}

TEST_CASE("process: a waiting rank is described by its user's line and the library's words", "[smpi][process]") {
  LaunchSpec spec = spec_of("trivial");
  spec.describe_call = [] { return std::string("MPI_Something(that is too long for the small buffer of a string)"); };
  auto program = load(spec);
  for (int time = 0; time < 2; ++time) {
    const CallDescription description = program->describe(ActorId{1});
    CHECK(description.call == "MPI_Something(that is too long for the small buffer of a string)");
    REQUIRE(description.frames.size() == 1);
    CHECK(description.frames[0].function == "main");
    CHECK_THAT(description.frames[0].file, Catch::EndsWith("trivial.c"));
    CHECK(description.frames[0].line == 7);
  }
  spec.describe_call = nullptr;
  CHECK(load(spec)->describe(ActorId{0}).call == "sleep");
}

TEST_CASE("process: a file that cannot run is refused in one line with the reason", "[smpi][process]") {
  auto refusal = [](LaunchSpec spec) {
    auto loaded = load_program(spec);
    return loaded ? std::string("loaded") : loaded.error().text;
  };
  CHECK(refusal(spec_of("nowhere")) == programs + "/nowhere: file not found");
  CHECK_THAT(refusal(spec_of("../process")), Catch::EndsWith(": is a directory; a program is needed"));
  CHECK_THAT(refusal(spec_of("Makefile.cmake")), Catch::EndsWith(": file not found"));
  CHECK_THAT(refusal(spec_of("static_program")), Catch::Contains(": is statically linked; compile it with"));
  CHECK_THAT(refusal(spec_of("no_pie")), Catch::Contains(": is not position-independent; compile it with"));
  CHECK_THAT(refusal(spec_of("lib/libprocess_library.so")), Catch::Contains(": is a shared library"));
  CHECK_THAT(refusal(spec_of("trivial", {}, 0)), Catch::Contains(": 0 ranks were requested"));
  CHECK_THAT(refusal(spec_of("sanitized")), Catch::Contains("sanitizer (__asan_init), which cannot run here"));
  LaunchSpec hollow = spec_of("needs_elsewhere");
  hollow.environment = {"LD_LIBRARY_PATH=" + programs + "/hollow"};
  CHECK_THAT(refusal(hollow), Catch::EndsWith(": undefined symbol: library_function"));
  CHECK_THAT(refusal(spec_of("built_with_openmpi")),
             Catch::Contains(": is built with another version of MPICH or Open MPI (libmpi.so.80), "));
  LaunchSpec text = spec_of("x");
  text.path = "/etc/passwd";
  CHECK(refusal(text) == "/etc/passwd: is not a program (no ELF file); compile it with rehearse cc");
  LaunchSpec no_mpi = spec_of("trivial");
  no_mpi.require_mpi = true;
  CHECK_THAT(refusal(no_mpi), Catch::Contains(": is not an MPI program: it does not need libmpi_abi.so.1; compile it"));
}

TEST_CASE("process: an MPI program runs, and a waiting or failed rank is described", "[smpi][process]") {
  LaunchSpec spec = spec_of("mpi_ring");
  spec.require_mpi = true;
  spec.find_mpi_symbol = find_mpi_symbol;
  spec.describe_call = print_current_call;
  const auto result = run(spec);
  REQUIRE(result.all_ended());
  CHECK(result.output == std::vector<std::string>{"6 16", "1 16", "3 16", "6 16"});
  spec.argv.push_back("fail");
  auto program = load(spec);
  const auto failed = tests::run_round_robin(*program);
  CHECK(failed.actors[2].id == "assertion.failed");
  CHECK(program->describe(ActorId{2}).frames.at(0).line == 16);
  CHECK(failed.actors[3].state == ActorOutcome::State::blocked);
  const CallDescription waiting = program->describe(ActorId{3});
  CHECK(waiting.call == "MPI_Recv(buf, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)");
  REQUIRE(waiting.frames.size() == 1);
  CHECK(waiting.frames[0].function == "main");
  CHECK(waiting.frames[0].line == 14);
}
