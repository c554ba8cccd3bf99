// SPDX-License-Identifier: MIT
//
// Forked processes, each with a pipe.
#include "app/isolated_pool.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr int exit_lost = 1;       // the parent is gone
constexpr int pool_poll_ms = 100;  // between looks at the stop token
constexpr int exit_failed = 70;    // of REHEARSE_ASSERT

long offset_of_input() {
  struct stat about = {};
  if (fstat(STDIN_FILENO, &about) != 0 || !S_ISREG(about.st_mode)) return -1;
  return static_cast<long>(lseek(STDIN_FILENO, 0, SEEK_CUR));
}

// A file description of its own, so that children do not move the place of each other.
void reopen_input(long offset) {
  const int file = open("/proc/self/fd/0", O_RDONLY);
  if (file < 0) return;
  lseek(file, offset, SEEK_SET);
  dup2(file, STDIN_FILENO);
  close(file);
}

void redirect(IsolatedPool::Streams streams, long input_offset) {
  if (input_offset >= 0) reopen_input(input_offset);
  if (streams == IsolatedPool::Streams::of_this_process) return;
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return;
  if (input_offset < 0) dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void work_and_return(int out, const std::function<std::string()>& work) {
  const std::string text = work();
  std::fflush(nullptr);  // what it printed comes before its end
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(out, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(exit_lost);
    done += static_cast<std::size_t>(written);
  }
  _exit(0);
}

std::string death_of(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  if (WIFEXITED(status))
    return WEXITSTATUS(status) == exit_failed ? "with an internal error"
                                              : fmt::format("with exit status {}", WEXITSTATUS(status));
  return fmt::format("by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

}  // namespace

IsolatedPool::IsolatedPool() : input_offset_(offset_of_input()) {}

IsolatedPool::~IsolatedPool() {
  for (const Child& child : children_) kill(child.process, SIGKILL);
  while (!children_.empty()) take_end(0);
}

bool IsolatedPool::start(std::size_t number, Streams streams, const std::function<std::string()>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    for (const Child& other : children_) close(other.from);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(exit_lost);
    redirect(streams, input_offset_);
    work_and_return(ends[1], work);
  }
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return false;
  }
  numbers_.push_back(number);
  children_.push_back({process, ends[0], ""});
  return true;
}

std::optional<IsolatedPool::Ended> IsolatedPool::wait(const StopToken& stop) {
  while (!children_.empty() && !stop.stop_requested()) {
    std::vector<pollfd> waits;
    for (const Child& child : children_) waits.push_back({child.from, POLLIN, 0});
    if (poll(waits.data(), waits.size(), pool_poll_ms) <= 0) continue;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (waits[i].revents == 0) continue;
      char buffer[65536];
      const ssize_t got = read(children_[i].from, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return take_end(i);
      children_[i].text.append(buffer, static_cast<std::size_t>(got));
    }
  }
  return std::nullopt;
}

void IsolatedPool::request_end() {
  for (const Child& child : children_) kill(child.process, SIGTERM);
}

IsolatedPool::Ended IsolatedPool::take_end(std::size_t index) {
  Child& child = children_[index];
  close(child.from);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) continue;
  Ended ended{numbers_[index], std::move(child.text), death_of(status)};
  children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(index));
  numbers_.erase(numbers_.begin() + static_cast<std::ptrdiff_t>(index));
  return ended;
}

}  // namespace rehearse::app
