// SPDX-License-Identifier: MIT
//
// The temporary folder of an attached job: its files, the socket of the launch agent, temporary files of launchers.
//
// Ownership: the folder and its content are removed with this object.
// Errors:    the system's.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "simcore/support/result.hpp"

namespace rehearse::app {

class JobFolder {
 public:
  static Result<JobFolder> make();
  JobFolder(JobFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  JobFolder& operator=(JobFolder&&) = delete;
  ~JobFolder();

  std::string path() const { return path_.string(); }
  std::string file(std::string_view name) const { return (path_ / name).string(); }
  Result<void> write(std::string_view name, std::string_view text, bool is_program = false) const;
  Result<void> add_folder(std::string_view name) const;

 private:
  explicit JobFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace rehearse::app
