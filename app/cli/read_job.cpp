// SPDX-License-Identifier: MIT
//
// Splits a command line at its colons.
#include "app/cli/read_job.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "app/launch.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view separator = ":";
constexpr std::array<std::string_view, 4> names_of_ranks = {"-n", "-np", "--np", "-c"};
constexpr const char* accepted = "accepted after a ':': -n N PROGRAM ARGS...";

using Word = Arguments::const_iterator;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

Result<std::uint32_t> read_ranks_of(const std::string& text, std::uint32_t before) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count == 0 || count > app::ranks_max - before)
    return Error{fmt::format("-n: '{}' given; accepted: 1 to {} ranks in all programs", text, app::ranks_max)};
  return count;
}

// A program after a colon, and its number of ranks.
Result<std::uint32_t> read_further(Word begin, Word end, std::uint32_t before, app::Job::Further& part) {
  if (begin == end) return Error{std::string("nothing follows ':'; ") + accepted};
  if (std::ranges::find(names_of_ranks, *begin) == names_of_ranks.end())
    return Error{"'" + *begin + "' given; " + accepted};
  if (end - begin < 3) return Error{"'" + *begin + "' needs a number and a program; " + accepted};
  auto ranks = read_ranks_of(begin[1], before);
  if (!ranks) return ranks.error();
  if (begin[2].starts_with('-')) return Error{"'" + begin[2] + "' given; " + accepted};
  auto path = find_program(begin[2]);
  if (!path) return path.error();
  part = {before, path.value(), {begin + 3, end}};
  return ranks;
}

}  // namespace

Result<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    std::error_code ignored;
    if (!fs::exists(name, ignored)) return Error{name + ": no such program"};
    if (!is_file(name)) return Error{name + ": not a file; accepted: an executable that was linked with rehearse cc"};
    return name;
  }
  if (is_file(name)) return "./" + name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (!folder.empty() && is_file(candidate) && access(candidate.c_str(), X_OK) == 0) return candidate.string();
  }
  return Error{name + ": no such program in the current folder or in PATH"};
}

Result<app::Job> read_job(const Arguments& words, std::uint32_t ranks) {
  app::Job job;
  auto path = find_program(words.front());
  if (!path) return path.error();
  Word end = std::find(words.begin(), words.end(), separator);
  job.path = path.value();
  job.arguments = {words.begin() + 1, end};
  job.ranks = ranks;
  while (end != words.end()) {
    const Word begin = end + 1;
    end = std::find(begin, words.end(), separator);
    app::Job::Further part;
    auto count = read_further(begin, end, job.ranks, part);
    if (!count) return count.error();
    job.ranks += count.value();
    job.others.push_back(std::move(part));
  }
  return job;
}

}  // namespace rehearse::cli
