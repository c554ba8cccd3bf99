// SPDX-License-Identifier: MIT
//
// See child_command.hpp.
#include "app/child_command.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace rehearse::app {
namespace {

Result<pid_t> start(const std::vector<std::string>& words, const posix_spawn_file_actions_t* actions) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int problem = posix_spawnp(&child, arguments[0], actions, nullptr, arguments.data(), environ);
  if (problem != 0) return Error{words[0] + ": " + std::strerror(problem)};
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> part;
  while (true) {
    const ssize_t bytes = read(file, part.data(), part.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(bytes));
  }
}

}  // namespace

Result<int> run_command(const std::vector<std::string>& words) {
  const auto child = start(words, nullptr);
  if (!child) return child.error();
  return wait_for(child.value());
}

Result<std::string> output_of_command(const std::vector<std::string>& words) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return Error{std::string("pipe: ") + std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto child = start(words, &actions);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (child) text = read_all(ends[0]);
  close(ends[0]);
  if (!child) return child.error();
  wait_for(child.value());
  return text;
}

}  // namespace rehearse::app
