// SPDX-License-Identifier: MIT
//
// The supervising process. Its signal handler can only access variables of the whole process: the two below.
#include "app/supervisor.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr int exit_internal = 70;  // of REHEARSE_ASSERT

volatile std::sig_atomic_t child = 0, received = 0;

// The child also got a signal of the terminal, so that is not forwarded.
void pass_on(int signal, siginfo_t* info, void*) {
  received = signal;
  if (info->si_code <= 0 && child > 0) kill(child, signal);
}

std::string describe_end(int status) {
  if (WIFEXITED(status)) return "with an internal error";
  return fmt::format("by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

class PassingOn {
 public:
  PassingOn() {
    struct sigaction action = {};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGINT, &action, &interrupt_);
    sigaction(SIGTERM, &action, &terminate_);
  }
  ~PassingOn() { restore(); }
  PassingOn(const PassingOn&) = delete;
  PassingOn& operator=(const PassingOn&) = delete;

  void restore() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
  }

 private:
  struct sigaction interrupt_ = {}, terminate_ = {};
};

[[noreturn]] void be_child(pid_t parent, const std::function<int()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(exit_internal);
  const int status = work();
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

Ending run_isolated(const std::function<int()>& work) {
  std::fflush(nullptr);
  PassingOn signals;
  const pid_t parent = getpid();
  const pid_t made = fork();
  if (made == 0) {
    signals.restore();
    be_child(parent, work);
  }
  if (made < 0) return {work(), ""};  // no process can be made: works without supervision
  child = made;
  received = 0;
  int status = 0;
  while (waitpid(made, &status, 0) < 0 && errno == EINTR) continue;
  child = 0;
  if (WIFSIGNALED(status) && WTERMSIG(status) == received) {  // the forwarded signal ended it: no crash
    signals.restore();
    std::raise(received);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) != exit_internal) return {WEXITSTATUS(status), ""};
  return {std::nullopt, describe_end(status)};
}

}  // namespace rehearse::app
