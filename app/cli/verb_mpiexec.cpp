// SPDX-License-Identifier: MIT
//
// mpiexec, mpirun: `rehearse run` for scripts that were written for other MPI libraries.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "app/cli/message.hpp"
#include "app/cli/mpiexec_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/version.hpp"

namespace rehearse::cli {
namespace {

constexpr const char* help =
    "mpiexec -n 4 PROGRAM ARGUMENTS...\n\n"
    "The same as `rehearse run -n 4 PROGRAM ARGUMENTS...`, with the options of other launchers:\n"
    "  -n, -np, --np, -c N                  number of ranks\n"
    "  -f, -machinefile, -hostfile FILE     file that names the host of each rank\n"
    "  -l, -prepend-rank, -tag-output       begin each line of output with its rank\n"
    "  -wdir, -wd FOLDER                    run in this folder\n"
    "  -env, -genv NAME VALUE, -x NAME=VALUE  set an environment variable of all ranks\n"
    "  --oversubscribe, --allow-run-as-root   accepted without effect: always permitted\n"
    "  PROGRAM : -n M PROGRAM2              run several programs in one job\n"
    "  -configfile, --app FILE              the same, from a file: -n N PROGRAM ARGUMENTS... on each line\n";

}  // namespace

int run_mpiexec(const Arguments& arguments) {
  Result<MpiexecPlan> read = plan_mpiexec(arguments);
  if (!read) return report_error(read.error());
  const MpiexecPlan& plan = read.value();
  if (plan.asks_help) {
    std::fputs(help, stdout);
    return 0;
  }
  if (plan.asks_version) {
    std::printf("mpiexec (rehearse) %s\n", std::string(app::version).c_str());
    return 0;
  }
  const Verb* run = find_verb("run");
  if (run == nullptr) return report_error({"mpiexec: this rehearse was built without the verb run"});
  if (!plan.folder.empty() && ::chdir(plan.folder.c_str()) != 0) {
    return report_error({"mpiexec: -wdir " + plan.folder + ": " + std::strerror(errno)});
  }
  for (const auto& [name, value] : plan.environment) ::setenv(name.c_str(), value.c_str(), 1);
  Arguments run_arguments = {"--no-summary"};  // scripts compare the output with that of other launchers
  run_arguments.insert(run_arguments.end(), plan.run_arguments.begin(), plan.run_arguments.end());
  return run->run(run_arguments);
}

}  // namespace rehearse::cli
