// SPDX-License-Identifier: MIT
//
// The identity of a rank: a separate process on the node of the launch, so that an execution does not depend on the
// machine of the simulation.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/dead_stack.hpp"
#include "smpi/process.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::int64_t ps_per_us = 1'000'000;
constexpr std::int64_t us_per_s = 1'000'000;

// The same as MPI_Get_processor_name.
const std::string& node_name() { return node_map().name_of(current_actor().value); }

int rank_gethostname(char* to, std::size_t room) {
  const std::string& name = node_name();
  std::memcpy(to, name.c_str(), std::min(room, name.size() + 1));
  if (name.size() + 1 <= room) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

int rank_uname(utsname* to) {
  const int result = ::uname(to);
  if (result == 0) std::snprintf(to->nodename, sizeof to->nodename, "%s", node_name().c_str());
  return result;
}

pid_t rank_getpid() { return process_id_of(current_actor()); }
pid_t rank_getppid() { return process_id_of(ActorId{0}) - 1; }
pid_t rank_getsid(pid_t) { return rank_getppid(); }

// Only the driver's time is known; all other fields are 0.
int rank_getrusage(int who, rusage* usage) {
  std::memset(usage, 0, sizeof *usage);
  if (who == RUSAGE_CHILDREN) return 0;
  const std::int64_t us = ask(Clock{}).now.picoseconds / ps_per_us;
  clear_dead_stack();
  usage->ru_utime = {us / us_per_s, us % us_per_s};
  return 0;
}

// System calls by number that concern the rank have the same effect as the functions.
long rank_syscall(long number, long a, long b, long c, long d, long e, long f) {
  switch (number) {
    case SYS_getpid:
    case SYS_gettid: return rank_getpid();
    case SYS_getppid: return rank_getppid();
    case SYS_getrandom: return rank_getrandom(reinterpret_cast<void*>(a), static_cast<std::size_t>(b), 0);
    case SYS_sched_getaffinity:
      return give_affinity(static_cast<std::size_t>(b), reinterpret_cast<cpu_set_t*>(c)) == 0 ? 8 : -1;
    case SYS_futex:
      return rank_futex(reinterpret_cast<int*>(a), static_cast<int>(b), static_cast<int>(c),
                        reinterpret_cast<const timespec*>(d));
    case SYS_clone:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_exit:
    case SYS_exit_group:
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
    case SYS_write:
    case SYS_clock_gettime: {
      fail_rank(FailureKind::unsupported, "unsupported.function", fmt::format("syscall({}, ...)", number));
    }
    default: return ::syscall(number, a, b, c, d, e, f);
  }
}

}  // namespace

pid_t process_id_of(ActorId rank) {
  constexpr pid_t first = 10000;
  return first + static_cast<pid_t>(rank.value);
}

InterposerList identity_interposers() {
  return {{"gethostname", function_address(rank_gethostname)},
          {"__gethostname_chk", function_address(rank_gethostname)},
          {"uname", function_address(rank_uname)},
          {"getpid", function_address(rank_getpid)},
          {"__getpid", function_address(rank_getpid)},
          {"gettid", function_address(rank_getpid)},
          {"getppid", function_address(rank_getppid)},
          {"getpgrp", function_address(rank_getppid)},
          {"getpgid", function_address(rank_getsid)},
          {"getsid", function_address(rank_getsid)},
          {"getrusage", function_address(rank_getrusage)},
          {"syscall", function_address(rank_syscall)}};
}

}  // namespace rehearse::smpi
