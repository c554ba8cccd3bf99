// SPDX-License-Identifier: MIT
//
// Finds the tree that contains the running program.
#include "app/cli/own_tree.hpp"

#include <filesystem>

namespace rehearse::cli {

Result<std::string> own_program() {
  std::error_code problem;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (problem) return Error{"/proc/self/exe cannot be read: " + problem.message()};
  return program.string();
}

Result<std::string> own_prefix() {
  auto path = own_program();
  if (!path) return path.error();
  std::error_code problem;
  const std::filesystem::path program = path.value();
  const std::filesystem::path prefix = program.parent_path().parent_path();
  if (!std::filesystem::exists(prefix / "include/mpi.h", problem)) {
    return Error{(prefix / "include/mpi.h").string() + " is missing: " + program.string() +
                 " is in neither a build nor an install tree of rehearse"};
  }
  return prefix.string();
}

}  // namespace rehearse::cli
