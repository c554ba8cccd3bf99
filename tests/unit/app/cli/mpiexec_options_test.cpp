// SPDX-License-Identifier: MIT
//
// The options of other launchers, as options of run.
#include "app/cli/mpiexec_options.hpp"

#include <catch2/catch.hpp>

using namespace rehearse;
using Words = std::vector<std::string>;

namespace {

Words run_arguments(const Words& words) {
  Result<cli::MpiexecPlan> plan = cli::plan_mpiexec(words);
  return plan ? plan.value().run_arguments : Words{"error: " + plan.error().text};
}

}  // namespace

TEST_CASE("mpiexec: ranks, hosts and labels become the options of run", "[cli]") {
  for (const std::string option : {"-n", "-np", "--np", "-c"}) {
    CHECK(run_arguments({option, "4", "./ring"}) == Words{"-n", "4", "./ring"});
  }
  for (const std::string option : {"-f", "-machinefile", "--hostfile"}) {
    CHECK(run_arguments({option, "hosts", "./ring"}) == Words{"--hostfile", "hosts", "./ring"});
  }
  CHECK(run_arguments({"-l", "--oversubscribe", "-n", "2", "./ring"}) == Words{"--label", "-n", "2", "./ring"});
}

TEST_CASE("mpiexec: words after the program belong to it, up to a colon", "[cli]") {
  CHECK(run_arguments({"-np", "2", "a", "-np", "7", ":", "-np", "3", "b", "-x"}) ==
        Words{"-n", "2", "a", "-np", "7", ":", "-n", "3", "b", "-x"});
}

TEST_CASE("mpiexec: environment and folder are set before the run", "[cli]") {
  Result<cli::MpiexecPlan> plan =
      cli::plan_mpiexec(Words{"-env", "A", "1", "-x", "B=2=3", "-x", "HOME", "-wdir", "/tmp", "a"});
  REQUIRE(plan);
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  CHECK(plan.value().environment == Pairs{{"A", "1"}, {"B", "2=3"}});
  CHECK(plan.value().folder == "/tmp");
  CHECK(plan.value().run_arguments == Words{"a"});
}

TEST_CASE("mpiexec: an unknown option and an option without its value are errors with its name", "[cli]") {
  CHECK(run_arguments({"--map-by", "core", "a"})[0].find("'--map-by' is not known; accepted: -n") != std::string::npos);
  CHECK(run_arguments({"-n"})[0] == "error: mpiexec: option '-n' needs a value");
  CHECK(run_arguments({"-env", "A"})[0] == "error: mpiexec: option '-env' needs two values");
}
