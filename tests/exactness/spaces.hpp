// SPDX-License-Identifier: MIT
//
// Programs to compare counts on: all that a small alphabet allows, and random ones over all features.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rehearse::tests {

// What one actor may consist of: every sequence of at most `length` of these operations, each request that is open at
// its end waited for. In an operation `@` stands for a new request; `test @` polls the newest, `wait @` completes the
// oldest, and `waitany @` one of all open requests, where there are any.
std::vector<std::string> bodies(const std::vector<std::string>& alphabet, std::uint32_t length);

// A numbered set of programs.
class Space {
 public:
  // Two actors, each of up to so many operations: sends, receives and probes with two tags, wildcards, polls.
  static Space two_actors(std::uint32_t length);
  // One receiver, and two actors who send to it and to each other, of up to so many operations each.
  static Space three_actors(std::uint32_t length);

  std::uint64_t size() const;
  std::string program(std::uint64_t number) const;

 private:
  // Actor 0 is one of the first bodies; the others are an unordered pair, or one, of the second.
  std::vector<std::string> first_, second_;
  std::uint32_t others_ = 1;
};

// A random program over a random set of features; the same for the same seed everywhere.
std::string random_program(std::uint64_t seed);

// The same program with actor a under the name order[a].
std::string renamed(const std::string& program, const std::vector<std::uint32_t>& order);

}  // namespace rehearse::tests
