// SPDX-License-Identifier: MIT
//
// Signals within one rank: handlers are stored per rank and called by raise() and kill(self).
//
// Not supported: handlers of SIGSEGV, SIGBUS, SIGFPE and SIGILL are stored, but a real crash is reported and does not
//                call them; masks are accepted and have no effect, because only the rank itself sends signals to the
//                rank; timers that send signals, and signals to other processes, are Fail{unsupported}.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

using Handler = void (*)(int);
using InfoHandler = void (*)(int, siginfo_t*, void*);

bool is_signal(int number) { return number > 0 && number < 65; }

bool with_info(const RankState& rank, int number) {
  return (rank.signal_with_info[number / 64] >> (number % 64) & 1) != 0;
}

void set_with_info(RankState& rank, int number, bool value) {
  const std::uint64_t bit = std::uint64_t{1} << (number % 64);
  rank.signal_with_info[number / 64] = (rank.signal_with_info[number / 64] & ~bit) | (value ? bit : 0);
}

Handler rank_signal(int number, Handler handler) {
  if (!is_signal(number) || number == SIGKILL || number == SIGSTOP) {
    errno = EINVAL;
    return SIG_ERR;
  }
  RankState& rank = this_rank();
  auto old = reinterpret_cast<Handler>(rank.signal_handlers[number]);
  rank.signal_handlers[number] = function_address(handler);
  set_with_info(rank, number, false);
  return old;
}

int rank_sigaction(int number, const struct sigaction* action, struct sigaction* old) {
  if (!is_signal(number) || (action != nullptr && (number == SIGKILL || number == SIGSTOP))) {
    errno = EINVAL;
    return -1;
  }
  RankState& rank = this_rank();
  if (old != nullptr) {
    std::memset(old, 0, sizeof *old);
    old->sa_handler = reinterpret_cast<Handler>(rank.signal_handlers[number]);
    old->sa_flags = with_info(rank, number) ? SA_SIGINFO : 0;
  }
  if (action == nullptr) return 0;
  rank.signal_handlers[number] = function_address(action->sa_handler);
  set_with_info(rank, number, (action->sa_flags & SA_SIGINFO) != 0);
  return 0;
}

bool ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

int rank_raise(int number) {
  if (!is_signal(number)) {
    errno = EINVAL;
    return -1;
  }
  RankState& rank = this_rank();
  auto handler = reinterpret_cast<Handler>(rank.signal_handlers[number]);
  if (handler == SIG_IGN || (handler == SIG_DFL && ignored_by_default(number))) return 0;
  if (handler == SIG_DFL && number == SIGABRT) abort_rank();
  if (handler == SIG_DFL) {
    const std::string text = fmt::format("the rank sent itself signal {} ({})", number, strsignal(number));
    fail_rank(FailureKind::crash, "crash.signal", text);
  }
  if (with_info(rank, number)) {
    siginfo_t info{};
    info.si_signo = number;
    reinterpret_cast<InfoHandler>(rank.signal_handlers[number])(number, &info, nullptr);
  } else {
    handler(number);
  }
  return 0;
}

[[noreturn]] void rank_abort() {
  RankState& rank = this_rank();
  if (rank.signal_handlers[SIGABRT] != nullptr) rank_raise(SIGABRT);
  abort_rank();
}

int rank_kill(pid_t process, int number) {
  if (process == process_id_of(current_actor()) || process == 0) return number == 0 ? 0 : rank_raise(number);
  fail_rank(FailureKind::unsupported, "unsupported.function", "kill of another process");
}

int rank_sigqueue(pid_t process, int number, union sigval) { return rank_kill(process, number); }
int rank_tgkill(pid_t, pid_t thread, int number) { return rank_kill(thread, number); }

// A rank has one thread.
int rank_pthread_kill(pthread_t, int number) {
  if (number != 0 && !is_signal(number)) return EINVAL;
  return number == 0 ? 0 : rank_raise(number);
}

int rank_sigpending(sigset_t* set) { return sigemptyset(set); }
int rank_siginterrupt(int, int) { return 0; }

unsigned rank_sigblock(int) { return 0; }

int rank_sigprocmask(int, const sigset_t*, sigset_t* old) {
  if (old != nullptr) sigemptyset(old);
  return 0;
}

unsigned rank_alarm(unsigned seconds) {
  if (seconds > 0) fail_rank(FailureKind::unsupported, "unsupported.function", "alarm");
  return 0;
}

int rank_sigaltstack(const stack_t*, stack_t* old) {
  if (old != nullptr) *old = {nullptr, SS_DISABLE, 0};
  return 0;
}

}  // namespace

InterposerList signal_interposers() {
  return {{"signal", function_address(rank_signal)},
          {"__sysv_signal", function_address(rank_signal)},
          {"bsd_signal", function_address(rank_signal)},
          {"sigaction", function_address(rank_sigaction)},
          {"raise", function_address(rank_raise)},
          {"kill", function_address(rank_kill)},
          {"abort", function_address(rank_abort)},
          {"gsignal", function_address(rank_raise)},
          {"sigqueue", function_address(rank_sigqueue)},
          {"tgkill", function_address(rank_tgkill)},
          {"pthread_kill", function_address(rank_pthread_kill)},
          {"ssignal", function_address(rank_signal)},
          {"__sigaction", function_address(rank_sigaction)},
          {"sigpending", function_address(rank_sigpending)},
          {"siginterrupt", function_address(rank_siginterrupt)},
          {"sigblock", function_address(rank_sigblock)},
          {"sigsetmask", function_address(rank_sigblock)},
          {"sigprocmask", function_address(rank_sigprocmask)},
          {"pthread_sigmask", function_address(rank_sigprocmask)},
          {"sigaltstack", function_address(rank_sigaltstack)},
          {"alarm", function_address(rank_alarm)}};
}

}  // namespace rehearse::smpi
