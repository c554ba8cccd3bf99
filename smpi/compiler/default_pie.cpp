// SPDX-License-Identifier: MIT
//
// Finds the default of a compiler from its predefined macros.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "smpi/compiler.hpp"

extern char** environ;

namespace rehearse::smpi {
namespace {

std::string read_to_end(int file) {
  std::string text;
  char piece[4096];
  for (ssize_t count; (count = ::read(file, piece, sizeof piece)) > 0;) {
    text.append(piece, static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

bool compiler_makes_pie(const std::string& compiler) {
  std::vector<std::string> words;
  std::istringstream stream(compiler + " -dM -E -x c /dev/null");
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return true;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  const std::string macros = failed == 0 ? read_to_end(ends[0]) : "";
  ::close(ends[0]);
  int status = 0;
  if (failed == 0) ::waitpid(child, &status, 0);
  if (failed != 0 || status != 0) return true;
  return macros.find("#define __PIE__ ") != std::string::npos;
}

}  // namespace rehearse::smpi
