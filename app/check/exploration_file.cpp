// SPDX-License-Identifier: MIT
//
// Reading and writing unfinished explorations.
#include "app/check/exploration_file.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>

#include "app/counterexample.hpp"
#include "mc/saved.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::app {
namespace {

// The first lines that differ, in words.
std::string difference(const std::string& theirs, const std::string& ours) {
  std::istringstream left(theirs), right(ours);
  std::string one, other;
  while (one == other && std::getline(left, one) && std::getline(right, other)) {
  }
  return "it was left by a check with '" + one + "', this one has '" + other + "'";
}

}  // namespace

Result<std::string> exploration_identity(const Job& job, const mc::Semantics& semantics, const mc::Bounds& bounds) {
  auto hash = hash_of_file(job.path);
  if (!hash) return hash.error();
  auto own = hash_of_file("/proc/self/exe");
  if (!own) return own.error();
  std::string text = "rehearse: " + own.value() + "\nprogram: " + hash.value() + "\narguments:";
  for (const std::string& argument : job.arguments) text += " '" + argument + "'";
  for (const Job::Further& other : job.others) {
    auto theirs = hash_of_file(other.path);
    if (!theirs) return theirs.error();
    text += fmt::format("\nprogram from rank {}: {}", other.first_rank, theirs.value());
    for (const std::string& argument : other.arguments) text += " '" + argument + "'";
  }
  text += fmt::format("\nranks: {}\nnodes:", job.ranks);
  for (std::uint32_t rank = 0; rank < job.ranks; ++rank) text += " " + job.nodes.name_of(rank);
  text += "\npolicies:";
  for (const Policy& policy : semantics.policies) text += " " + to_text(policy);
  if (job.failures.chosen > 0) text += fmt::format("\n--failures: {}", job.failures.chosen);
  return text + fmt::format("\n--polls: {}\n--all: {}\n", semantics.polls, bounds.all_findings ? "given" : "not given");
}

Result<std::string> read_exploration(const std::string& file, const std::string& identity) {
  auto bytes = read_file(file);
  if (!bytes) return Error{file + ": cannot be read; accepted: a file that check --save wrote"};
  auto theirs = mc::identity_of(*bytes);
  if (!theirs) return Error{file + ": " + theirs.error().text + "; accepted: a file that check --save wrote"};
  if (theirs.value() != identity) return Error{file + ": " + difference(theirs.value(), identity)};
  return std::move(*bytes);
}

Result<void> write_exploration(const std::string& file, const std::string& remaining) {
  const std::string beside = file + ".part";
  std::ofstream stream(beside, std::ios::binary);
  stream.write(remaining.data(), static_cast<std::streamsize>(remaining.size()));
  stream.close();
  if (!stream || std::rename(beside.c_str(), file.c_str()) != 0) {
    std::remove(beside.c_str());
    return Error{file + ": cannot be written"};
  }
  return {};
}

}  // namespace rehearse::app
