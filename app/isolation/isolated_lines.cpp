// SPDX-License-Identifier: MIT
//
// A forked process and a pipe.
#include "app/isolated_lines.hpp"

#include <fcntl.h>
#include <poll.h>
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

constexpr int exit_unsent = 1;  // the parent is gone
constexpr int poll_ms = 100;    // between looks at the stop token

void send_line(int out, const std::string& line) {
  const std::string text = line + '\n';
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(out, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(exit_unsent);
    done += static_cast<std::size_t>(written);
  }
}

[[noreturn]] void work_in_child(int out, pid_t parent, const std::function<void(const TakeLine&)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(exit_unsent);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  if (const int nowhere = open("/dev/null", O_RDWR); nowhere >= 0)
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, standard);
  work([out](const std::string& line) { send_line(out, line); });
  _exit(0);
}

// Until the other end is closed, or a stop. Returns whether it was not a stop.
bool take_lines(int from, const TakeLine& take, const StopToken& stop) {
  std::string text;
  while (!stop.stop_requested()) {
    pollfd waits{from, POLLIN, 0};
    if (poll(&waits, 1, poll_ms) <= 0) continue;
    char buffer[65536];
    const ssize_t got = read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    text.append(buffer, static_cast<std::size_t>(got));
    for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1))
      take(text.substr(0, end));
  }
  return false;
}

std::string cause_of_death(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  if (WIFEXITED(status)) return "with an internal error";
  return fmt::format("by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

}  // namespace

std::string lines_from_isolated(const std::function<void(const TakeLine&)>& work, const TakeLine& take,
                                const StopToken& stop) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fmt::format("before it began ({})", std::strerror(errno));
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    work_in_child(ends[1], parent, work);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return fmt::format("before it began ({})", std::strerror(errno));
  }
  const bool is_stopped = !take_lines(ends[0], take, stop);
  close(ends[0]);
  if (is_stopped) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return is_stopped || stop.stop_requested() ? "" : cause_of_death(status);
}

}  // namespace rehearse::app
