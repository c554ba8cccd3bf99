// SPDX-License-Identifier: MIT
//
// From a submission to a program: the student's files and the teacher's, compiled apart from the exercise's folder.
#pragma once

#include <filesystem>
#include <string>

#include "app/exercise.hpp"
#include "app/grading/bounded_process.hpp"

namespace rehearse::app {

struct Built {
  std::string program;    // path; empty: there is none
  std::string complaint;  // then: why, for the student, without a line of the hidden files
};

// A folder that is removed at the end, with all that is in it.
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

// Compiles what is in `submission` into a program directly below `work`; sources are not left there.
// `reveal`: complaints about hidden files are shown, too. Errors: nothing can be started or written here.
Result<Built> build(const Exercise& exercise, const std::filesystem::path& submission,
                    const std::filesystem::path& work, bool reveal);

// The path of this very program.
std::string own_path();

Bounds bounds_of(const Limits& limits);

// The first lines of a text, and how many more there are.
std::string first_lines(const std::string& text, std::size_t count);

}  // namespace rehearse::app
