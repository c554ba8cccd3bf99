// SPDX-License-Identifier: MIT
//
// From a submission to a program: compiles the files of the student and of the teacher in a separate folder.
#pragma once

#include <filesystem>
#include <string>

#include "app/exercise.hpp"
#include "app/grading/bounded_process.hpp"

namespace rehearse::app {

struct Built {
  std::string program;    // path; empty: there is none
  std::string complaint;  // the reason, for the student, without lines of the hidden files
};

// A folder that the destructor removes with its contents.
class WorkFolder {
 public:
  static Result<WorkFolder> make();
  WorkFolder(WorkFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit WorkFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// Compiles the submission into a program directly below `work`, and leaves no sources there.
// `reveal`: also report errors in hidden files. Errors: a process cannot be started, or a file cannot be written.
Result<Built> build(const Exercise& exercise, const std::filesystem::path& submission,
                    const std::filesystem::path& work, bool reveal);

// The path of the running program.
std::string own_path();

Bounds bounds_of(const Limits& limits);

// The first lines of a text, and the number of further ones.
std::string first_lines(const std::string& text, std::size_t count);

}  // namespace rehearse::app
