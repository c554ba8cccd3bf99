// SPDX-License-Identifier: MIT
//
// What a rank must not do here, refused by name: threads and processes (they would escape from the rank's memory
// and from the driver), loading code at run time, timers that send signals.
#include <algorithm>
#include <cstddef>

#include "simcore/actor.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

template <std::size_t size>
struct Name {
  char text[size];
  consteval Name(const char (&from)[size]) { std::copy_n(from, size, text); }
};

template <Name name>
[[noreturn]] void refuse() {
  fail_rank(FailureKind::unsupported, "unsupported.function", name.text);
}

template <Name name>
std::pair<std::string_view, void*> refused() {
  return {name.text, function_address(refuse<name>)};
}

}  // namespace

InterposerList unsupported_interposers() {
  return {refused<"pthread_create">(), refused<"thrd_create">(), refused<"clone">(),       refused<"fork">(),
          refused<"vfork">(),          refused<"_Fork">(),       refused<"forkpty">(),     refused<"daemon">(),
          refused<"system">(),         refused<"popen">(),       refused<"wordexp">(),     refused<"posix_spawn">(),
          refused<"posix_spawnp">(),   refused<"execl">(),       refused<"execlp">(),      refused<"execle">(),
          refused<"execv">(),          refused<"execvp">(),      refused<"execvpe">(),     refused<"execve">(),
          refused<"fexecve">(),        refused<"dlopen">(),      refused<"dlmopen">(),     refused<"setitimer">(),
          refused<"timer_create">(),   refused<"ualarm">(),      refused<"pause">(),       refused<"sigsuspend">(),
          refused<"sigwait">(),        refused<"sigwaitinfo">(), refused<"sigtimedwait">(), refused<"killpg">(),
          refused<"getcontext">(),     refused<"makecontext">(), refused<"swapcontext">(), refused<"setcontext">(),
          refused<"freopen">(),        refused<"dup2">(),        refused<"dup3">()};
}

}  // namespace rehearse::smpi
