// SPDX-License-Identifier: MIT
//
// Splitting a command line at its colons.
#include "cli/job.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>

#include "cli/launch.hpp"

namespace rehearse::cli {
namespace {

constexpr std::string_view separator = ":";
constexpr std::array<std::string_view, 4> names_of_ranks = {"-n", "-np", "--np", "-c"};
constexpr const char* accepted = "accepted behind a ':': -n N PROGRAM ARGS...";

using Word = Arguments::const_iterator;

Result<std::uint32_t> read_ranks_of(const std::string& text, std::uint32_t before) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count == 0 || count > ranks_max - before)
    return Error{"-n: '" + text + "' given; accepted: 1 to " + std::to_string(ranks_max) + " ranks in all programs"};
  return count;
}

// One program behind a colon, and how many ranks it has.
Result<std::uint32_t> read_further(Word begin, Word end, std::uint32_t before, Job::Further& part) {
  if (begin == end) return Error{std::string("nothing stands behind ':'; ") + accepted};
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

smpi::NodeMap nodes_of(const std::vector<std::string>& names) {
  smpi::NodeMap nodes{{}, {}};
  std::map<std::string, std::uint32_t> numbers;
  for (const std::string& name : names) {
    const auto [found, is_new] = numbers.try_emplace(name, static_cast<std::uint32_t>(numbers.size()));
    if (is_new) nodes.names.push_back(name);
    nodes.of_rank.push_back(found->second);
  }
  return nodes;
}

Result<Job> read_job(const Arguments& words, std::uint32_t ranks) {
  Job job;
  auto path = find_program(words.front());
  if (!path) return path.error();
  Word end = std::find(words.begin(), words.end(), separator);
  job.path = path.value();
  job.arguments = {words.begin() + 1, end};
  job.ranks = ranks;
  while (end != words.end()) {
    const Word begin = end + 1;
    end = std::find(begin, words.end(), separator);
    Job::Further part;
    auto count = read_further(begin, end, job.ranks, part);
    if (!count) return count.error();
    job.ranks += count.value();
    job.others.push_back(std::move(part));
  }
  return job;
}

}  // namespace rehearse::cli
