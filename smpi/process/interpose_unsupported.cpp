// SPDX-License-Identifier: MIT
//
// Functions that a rank must not use, refused by name: threads and processes (they would escape from the rank's memory
// and from the driver), second sets of libraries, timers that send signals.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "simcore/actor.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/refusals.hpp"

namespace rehearse::smpi {
namespace {

template <std::size_t size>
struct Name {
  char text[size];
  consteval Name(const char (&from)[size]) { std::copy_n(from, size, text); }
};

template <Name name>
[[noreturn]] void refuse() {
  const std::string what = std::string(name.text) + " (" + std::string(reason_of_refusal(name.text)) + ")";
  fail_rank(FailureKind::unsupported, "unsupported.function", what);
}

template <Name name>
std::pair<std::string_view, void*> refused() {
  return {name.text, function_address(refuse<name>)};
}

// The reason why functions are not supported; also of runtime libraries that call them.
struct Reason {
  std::string_view text;
  std::string_view names;  // each with a space on both sides
};

constexpr std::array reasons = {
    Reason{"threads of a rank run one after another", " clone pthread_cancel "},
    Reason{"with more than one thread; OpenMP needs OMP_NUM_THREADS unset or 1",
           " GOMP_parallel GOMP_parallel_start __kmpc_fork_call "},
    Reason{"a rank cannot start processes",
           " fork vfork _Fork forkpty daemon system popen wordexp posix_spawn posix_spawnp execl execlp execle execv "
           "execvp execvpe execve fexecve "},
    Reason{"a rank has one set of libraries: dlopen, dlsym and dladdr are supported", " dlmopen dlinfo dladdr1 "},
    Reason{"a rank gets no signals from outside",
           " setitimer timer_create timerfd_create signalfd ualarm pause sigpause sigsuspend sigwait sigwaitinfo "
           "sigtimedwait killpg "},
    Reason{"a rank has one stack", " getcontext makecontext swapcontext setcontext "},
    Reason{"a rank's standard streams cannot be redirected", " freopen freopen64 dup2 dup3 wscanf "}};

}  // namespace

std::string_view reason_of_refusal(std::string_view function) {
  const std::string word = " " + std::string(function) + " ";
  for (const Reason& reason : reasons)
    if (reason.names.find(word) != std::string_view::npos) return reason.text;
  return {};
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
          refused<"pthread_cancel">(), refused<"freopen">(),     refused<"dup2">(),           refused<"dup3">()};
}

}  // namespace rehearse::smpi
