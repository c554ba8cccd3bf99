// SPDX-License-Identifier: MIT
//
// Functions that a rank must not use, refused by name: threads and processes (they would escape from the rank's memory
// and from the driver), second sets of libraries, timers that send signals.
#include <array>
#include <string>

#include "simcore/actor.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/refused_function.hpp"

namespace rehearse::smpi {
namespace {

// The reason why functions are not supported; also of runtime libraries that call them.
struct Reason {
  std::string_view text;
  std::string_view names;  // each with a space on both sides
};

constexpr std::array reasons = {
    Reason{"threads of a rank run one after another", " clone pthread_cancel "},
    Reason{"with more than one thread; of OpenMP, only GCC's runtime has teams", " __kmpc_fork_call "},
    Reason{"a part of OpenMP that threads of ranks do not have",
           " GOMP_doacross_post GOMP_doacross_ull_post GOMP_doacross_ull_wait GOMP_doacross_wait "
           "GOMP_loop_doacross_dynamic_start GOMP_loop_doacross_guided_start GOMP_loop_doacross_runtime_start "
           "GOMP_loop_doacross_start GOMP_loop_doacross_static_start GOMP_loop_ull_doacross_dynamic_start "
           "GOMP_loop_ull_doacross_guided_start GOMP_loop_ull_doacross_runtime_start GOMP_loop_ull_doacross_start "
           "GOMP_loop_ull_doacross_static_start GOMP_parallel_reductions GOMP_scope_start GOMP_target "
           "GOMP_target_data GOMP_target_data_ext GOMP_target_end_data GOMP_target_enter_exit_data GOMP_target_ext "
           "GOMP_target_update GOMP_target_update_ext GOMP_task_reduction_remap GOMP_taskgroup_reduction_register "
           "GOMP_taskgroup_reduction_unregister GOMP_teams GOMP_teams4 GOMP_teams_reg "
           "GOMP_workshare_task_reduction_unregister omp_fulfill_event omp_fulfill_event_ "},
    Reason{"a rank cannot start processes",
           " fork vfork _Fork forkpty daemon system popen wordexp posix_spawn posix_spawnp execl execlp execle execv "
           "execvp execvpe execve fexecve "},
    Reason{"a rank has one set of libraries: dlopen, dlsym and dladdr are supported", " dlmopen dlinfo dladdr1 "},
    Reason{"a rank gets no signals from outside",
           " setitimer timer_create timerfd_create signalfd ualarm pause sigpause sigsuspend sigwait sigwaitinfo "
           "sigtimedwait killpg "},
    Reason{"the C++ bindings of MPI-2, which MPI-3.0 removed",
           " MPI::Comm MPI::Datatype::Free MPI::Op::Init MPI::Win::Free "},
    Reason{"a rank has one stack", " getcontext makecontext swapcontext setcontext "},
    Reason{"a rank's standard streams cannot be redirected", " freopen freopen64 dup2 dup3 wscanf "}};

}  // namespace

std::string_view reason_of_refusal(std::string_view function) {
  const std::string word = " " + std::string(function) + " ";
  for (const Reason& reason : reasons)
    if (reason.names.find(word) != std::string_view::npos) return reason.text;
  return {};
}

// The functions of libmpi_cxx.so.40 and Open MPI to which all C++ code that includes its mpi.h refers, whether it uses
// the C++ bindings or not.
InterposerList cxx_binding_interposers() {
  return {{"_ZN3MPI4CommC2Ev", function_address(refuse<"MPI::Comm">)},
          {"_ZN3MPI8Datatype4FreeEv", function_address(refuse<"MPI::Datatype::Free">)},
          {"_ZN3MPI3Win4FreeEv", function_address(refuse<"MPI::Win::Free">)},
          {"ompi_mpi_cxx_op_intercept", function_address(refuse<"MPI::Op::Init">)},
          {"ompi_op_set_cxx_callback", function_address(refuse<"MPI::Op::Init">)}};
}

InterposerList unsupported_interposers() {
  return {refused<"clone">(),          refused<"fork">(),        refused<"vfork">(),          refused<"_Fork">(),
          refused<"forkpty">(),        refused<"daemon">(),      refused<"system">(),         refused<"popen">(),
          refused<"wordexp">(),        refused<"posix_spawn">(), refused<"posix_spawnp">(),   refused<"execl">(),
          refused<"execlp">(),         refused<"execle">(),      refused<"execv">(),          refused<"execvp">(),
          refused<"execvpe">(),        refused<"execve">(),      refused<"fexecve">(),        refused<"dlinfo">(),
          refused<"dlmopen">(),        refused<"setitimer">(),   refused<"timer_create">(),   refused<"ualarm">(),
          refused<"pause">(),          refused<"sigsuspend">(),  refused<"sigwait">(),        refused<"sigwaitinfo">(),
          refused<"sigtimedwait">(),   refused<"killpg">(),      refused<"getcontext">(),     refused<"makecontext">(),
          refused<"swapcontext">(),    refused<"setcontext">(),  refused<"timerfd_create">(), refused<"signalfd">(),
          refused<"wscanf">(),         refused<"sigpause">(),    refused<"freopen64">(),      refused<"dladdr1">(),
          refused<"pthread_cancel">(), refused<"freopen">()};
}

}  // namespace rehearse::smpi
