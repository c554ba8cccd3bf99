// SPDX-License-Identifier: MIT
//
// See real_run.hpp. The launcher starts `env LD_PRELOAD=... PROGRAM`, so the library is in the ranks alone, whatever
// the launcher is.
#include "app/real_run.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

#include "app/child_command.hpp"

namespace rehearse::app {
namespace {

struct KnownMpi {
  RealMpi mpi;
  const char* name;
  const char* title;
  const char* package;
  std::vector<std::string_view> sonames;
  std::vector<std::vector<std::string>> launchers;  // in the order in which they are tried
};

const std::vector<KnownMpi>& known_mpis() {
  static const std::vector<KnownMpi> known = {
      {RealMpi::openmpi,
       "openmpi",
       "Open MPI",
       "libopenmpi-dev",
       {"libmpi.so.40"},
       {{"mpirun.openmpi", "--oversubscribe"}, {"mpirun", "--oversubscribe"}}},
      {RealMpi::mpich,
       "mpich",
       "MPICH",
       "libmpich-dev",
       {"libmpich.so.12", "libmpi.so.12"},
       {{"mpiexec.mpich"}, {"mpiexec.hydra"}, {"mpiexec"}}},
  };
  return known;
}

const KnownMpi& known_mpi(RealMpi mpi) { return known_mpis()[static_cast<std::size_t>(mpi)]; }

constexpr const char* accepted_libraries =
    "accepted: programs of Open MPI (libmpi.so.40) and of MPICH (libmpich.so.12); name the MPI with --mpi if a script "
    "starts the program";

Result<RealMpi> chosen_mpi(const RealRunRequest& request) {
  for (const KnownMpi& known : known_mpis())
    if (request.mpi == known.name) return known.mpi;
  return find_real_mpi(request.program[0]);
}

Result<int> launch(const std::vector<std::vector<std::string>>& launchers, const std::vector<std::string>& rest) {
  std::string tried;
  for (const std::vector<std::string>& launcher : launchers) {
    std::vector<std::string> words = launcher;
    words.insert(words.end(), rest.begin(), rest.end());
    const auto status = run_command(words);
    if (status) return status;
    tried += (tried.empty() ? "" : "; ") + status.error().text;
  }
  return Error{"the launcher cannot be started: " + tried + "; name another one with --launcher"};
}

}  // namespace

Result<RealMpi> find_real_mpi(const std::string& program) {
  std::error_code problem;
  if (!std::filesystem::exists(program, problem))
    return Error{program + ": there is no such file; give its path, or name the MPI with --mpi"};
  const auto listed = output_of_command({"/lib64/ld-linux-x86-64.so.2", "--list", std::filesystem::absolute(program)});
  if (!listed) return listed.error();
  for (const KnownMpi& known : known_mpis())
    for (const std::string_view soname : known.sonames)
      if (listed.value().find(std::string(soname) + " ") != std::string::npos) return known.mpi;
  if (listed.value().find("libmpi_abi.so.1 ") != std::string::npos)
    return Error{program +
                 ": is linked to Rehearse's own MPI (libmpi_abi.so.1); record it without --real, or compile " +
                 "it with mpicc of Open MPI or MPICH"};
  return Error{program + ": needs no MPI that can be recorded; " + accepted_libraries};
}

Result<void> find_instruction_counter() {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const auto event = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
  if (event < 0)
    return Error{std::string("this machine does not count instructions: perf_event_open: ") + std::strerror(errno)};
  close(event);
  return {};
}

Result<int> run_real(const RealRunRequest& request) {
  const auto mpi = chosen_mpi(request);
  if (!mpi) return mpi.error();
  const KnownMpi& known = known_mpi(mpi.value());
  const std::string library = request.libraries + "/librehearse_trace_" + known.name + ".so";
  std::error_code problem;
  if (!std::filesystem::exists(library, problem))
    return Error{library + " is missing: Rehearse was built without the header of " + known.title + " (package " +
                 known.package + ")"};
  std::filesystem::create_directories(request.streams, problem);
  if (problem) return Error{request.streams + ": cannot make the folder: " + problem.message()};
  const char* counter = request.counter == trace::Counter::instructions ? "instructions" : "seconds";
  std::vector<std::string> rest = {"-n",
                                   std::to_string(request.ranks),
                                   "env",
                                   "LD_PRELOAD=" + library + (request.preloaded.empty() ? "" : ":" + request.preloaded),
                                   "REHEARSE_TRACE_DIR=" + request.streams,
                                   std::string("REHEARSE_TRACE_COUNTER=") + counter};
  rest.insert(rest.end(), request.program.begin(), request.program.end());
  if (request.launcher.empty()) return launch(known.launchers, rest);
  return launch({request.launcher}, rest);
}

}  // namespace rehearse::app
