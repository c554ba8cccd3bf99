// SPDX-License-Identifier: MIT
//
// A forked process and a pipe.
#include "app/isolated.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>

namespace rehearse::app {
namespace {

[[noreturn]] void be_child(int out, pid_t parent, const std::function<std::string()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  if (const int nowhere = open("/dev/null", O_RDWR); nowhere >= 0) {  // nobody needs its own output
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  const std::string text = work();
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(out, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    done += static_cast<std::size_t>(written);
  }
  _exit(0);
}

// Reads until the other end is closed. False: it took too long.
bool read_all(int from, double max_seconds, std::string& text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(max_seconds);
  for (;;) {
    const auto remaining =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (remaining.count() <= 0) return false;
    pollfd waits{from, POLLIN, 0};
    const int ready = poll(&waits, 1, static_cast<int>(remaining.count()));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    char buffer[65536];
    const ssize_t got = read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

std::optional<std::string> text_from_isolated(const std::function<std::string()>& work, double max_seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], parent, work);
  }
  close(ends[1]);
  std::string text;
  const bool is_whole = child > 0 && read_all(ends[0], max_seconds, text);
  close(ends[0]);
  if (child < 0) return std::nullopt;
  if (!is_whole) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!is_whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

}  // namespace rehearse::app
