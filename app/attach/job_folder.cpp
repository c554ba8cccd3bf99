// SPDX-License-Identifier: MIT
//
// See job_folder.hpp.
#include "app/attach/job_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace rehearse::app {

Result<JobFolder> JobFolder::make() {
  std::error_code problem;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(problem);
  if (problem) return Error{"the folder for temporary files: " + problem.message()};
  std::string path = (parent / "rehearse-attach-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) return Error{path + ": " + std::strerror(errno)};
  return JobFolder(path);
}

JobFolder::~JobFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<void> JobFolder::write(std::string_view name, std::string_view text, bool is_program) const {
  std::ofstream file(path_ / name);
  file << text;
  file.close();
  if (!file) return Error{this->file(name) + ": cannot be written"};
  std::error_code problem;
  if (is_program)
    std::filesystem::permissions(path_ / name, std::filesystem::perms::owner_all, std::filesystem::perm_options::add,
                                 problem);
  if (problem) return Error{this->file(name) + ": " + problem.message()};
  return {};
}

Result<void> JobFolder::add_folder(std::string_view name) const {
  std::error_code problem;
  std::filesystem::create_directory(path_ / name, problem);
  if (problem) return Error{file(name) + ": " + problem.message()};
  return {};
}

}  // namespace rehearse::app
