// SPDX-License-Identifier: MIT
//
// Starts gdb with its breakpoints.
#include "app/cli/debugger.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "app/cli/debugger_script.hpp"
#include "app/cli/message.hpp"
#include "app/cli/own_tree.hpp"
#include "simcore/support/format.hpp"

extern "C" [[gnu::noinline, gnu::used]] void rehearse_ranks_stand(const rehearse::smpi::RankPosition* stands,
                                                                  std::uint64_t ranks) {
  asm volatile("" : : "r"(stands), "r"(ranks) : "memory");
}

namespace rehearse::cli {

void stop_for_debuggers(const smpi::LoadedProgram& program) {
  const std::vector<smpi::RankPosition> stands = program.rank_positions();
  rehearse_ranks_stand(stands.data(), stands.size());
}

namespace {

// An anonymous file, which exists while a process has it open. -1: failed, with errno set.
int file_of(const std::string& text) {
  const int file = memfd_create("rehearse.gdb", 0);
  for (std::size_t written = 0; file >= 0 && written < text.size();) {
    const ssize_t count = ::write(file, text.data() + written, text.size() - written);
    if (count < 0) return -1;
    written += static_cast<std::size_t>(count);
  }
  return file;
}

Arguments without_own(const Arguments& arguments) {
  Arguments others;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--rank") ++i;
    else if (arguments[i] != "--gdb" && !arguments[i].starts_with("--rank=")) others.push_back(arguments[i]);
  }
  return others;
}

}  // namespace

int become_gdb(const Arguments& replay, std::optional<std::uint32_t> rank) {
  const std::string last = rank ? fmt::format("rehearse rank {}", *rank) : "rehearse backtraces";
  const int script = file_of(std::string(debugger_script) + last + "\n");
  if (script < 0) return report_error({"replay: --gdb: the script: " + std::string(std::strerror(errno))});
  auto executable = own_program();
  if (!executable) return report_error({"replay: --gdb: " + executable.error().text});
  std::vector<std::string> words = {
      "gdb", "-q", "-x", fmt::format("/proc/self/fd/{}", script), "--args", executable.value(), "replay"};
  for (const std::string& word : without_own(replay)) words.push_back(word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp("gdb", arguments.data());
  return report_error({"replay: --gdb: gdb cannot be run: " + std::string(std::strerror(errno))});
}

}  // namespace rehearse::cli
