// SPDX-License-Identifier: MIT
//
// Copying, compiling and linking a submission.
#include "app/grading/build.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t complaint_lines = 12;
constexpr std::uintmax_t source_bytes_max = 10'000'000;

bool is_cxx(const std::string& file) {
  constexpr std::array suffixes = {".cpp", ".cc", ".cxx", ".C"};
  return std::ranges::find(suffixes, fs::path(file).extension()) != suffixes.end();
}

bool is_compiled(const std::string& file) { return is_cxx(file) || fs::path(file).extension() == ".c"; }

// The fault, or nothing. Copies only ordinary files of a limited size: no device, for instance.
std::string copy(const std::vector<std::string>& files, const fs::path& from, const fs::path& to) {
  for (const std::string& file : files) {
    std::error_code problem;
    if (!fs::is_regular_file(from / file, problem)) return "there is no file " + file;
    if (fs::file_size(from / file, problem) > source_bytes_max) return file + " has more than 10 MB";
    fs::create_directories((to / file).parent_path(), problem);
    if (!fs::copy_file(from / file, to / file, problem)) return file + " cannot be copied: " + problem.message();
  }
  return "";
}

// The result of the compiler for one file, or of the linker.
struct Step {
  bool is_good = false;
  std::string text;
};

Result<Step> step(std::vector<std::string> words, bool cxx, const Exercise& exercise, const fs::path& folder) {
  words.insert(words.begin(), {own_path(), cxx ? "c++" : "cc", "-fdiagnostics-color=never"});
  if (exercise.actors) words.push_back("--actors");
  words.insert(words.end(), exercise.compiler_options.begin(), exercise.compiler_options.end());
  const Bounds bounds = bounds_of(exercise.limits);
  auto end = run_bounded(words, folder, bounds);
  if (!end) return end.error();
  const std::string trouble = trouble_of(end.value(), bounds);
  if (!trouble.empty()) return Step{false, "the compiler was " + trouble + "\n"};
  return Step{end.value().status == 0, end.value().err + end.value().out};
}

// The missing and the duplicate names in the messages of the linker, without their places.
std::string of_linker(const std::string& text) {
  std::string names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    for (const char* what : {"undefined reference to ", "multiple definition of "}) {
      const std::size_t at = line.find(what);
      if (at == std::string::npos) continue;
      const std::string said = line.substr(at, line.find(';', at) - at) + "\n";
      if (names.find(said) == std::string::npos) names += said;
    }
  }
  return names.empty() ? "the program cannot be linked\n" : names;
}

Result<Built> compile(const Exercise& exercise, const fs::path& folder, const fs::path& program, bool reveal) {
  std::vector<std::string> objects;
  bool cxx = false;
  for (const auto* files : {&exercise.sources, &exercise.hidden}) {
    for (const std::string& file : *files) {
      if (!is_compiled(file)) continue;
      objects.push_back(fmt::format("part{}.o", objects.size()));
      cxx |= is_cxx(file);
      auto done = step({"-c", file, "-o", objects.back()}, is_cxx(file), exercise, folder);
      if (!done) return done.error();
      if (done.value().is_good) continue;
      const bool is_shown = files == &exercise.sources || reveal;
      return Built{"", is_shown ? first_lines(done.value().text, complaint_lines)
                                : "the hidden test does not compile with your files: are functions and types as the "
                                  "task names them?\n"};
    }
  }
  std::vector<std::string> words = objects;
  words.insert(words.end(), {"-o", program.string()});
  auto done = step(words, cxx, exercise, folder);
  if (!done) return done.error();
  if (done.value().is_good) return Built{program.string(), ""};
  return Built{"", first_lines(reveal ? done.value().text : of_linker(done.value().text), complaint_lines)};
}

}  // namespace

Result<WorkFolder> WorkFolder::make() {
  std::error_code problem;
  const fs::path parent = fs::temp_directory_path(problem);
  std::string path = (problem ? "/tmp" : parent.string()) + "/rehearse-grade-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return Error{path + " cannot be made: " + std::strerror(errno)};
  return WorkFolder(path);
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::string own_path() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).string();
}

Bounds bounds_of(const Limits& limits) {
  Bounds bounds;
  bounds.seconds = limits.seconds;
  bounds.memory_bytes = limits.memory_bytes;
  bounds.output_bytes = limits.output_bytes;
  return bounds;
}

std::string first_lines(const std::string& text, std::size_t count) {
  std::size_t end = 0, lines = 0;
  for (; lines < count && end < text.size(); ++lines) end = std::min(text.find('\n', end), text.size() - 1) + 1;
  const auto more = std::ranges::count(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), '\n');
  return text.substr(0, end) + (more > 0 ? fmt::format("({} more lines)\n", more) : "");
}

Result<Built> build(const Exercise& exercise, const fs::path& submission, const fs::path& work, bool reveal) {
  const fs::path folder = work / "sources";
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return Error{folder.string() + " cannot be made: " + problem.message()};
  const std::string missing = copy(exercise.sources, submission, folder);
  if (!missing.empty()) return Built{"", missing + "\n"};
  const std::string fault = copy(exercise.hidden, exercise.folder, folder);
  if (!fault.empty()) return Error{(exercise.folder / specification_name).string() + ": hidden: " + fault};
  const fs::path program = work / fs::path(exercise.sources.front()).stem();
  auto built = compile(exercise, folder, program, reveal);
  fs::remove_all(folder, problem);
  return built;
}

}  // namespace rehearse::app
