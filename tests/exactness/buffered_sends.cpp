// SPDX-License-Identifier: MIT
//
// Programs as lists of instructions.
#include "tests/exactness/buffered_sends.hpp"

#include <sstream>

#include "tests/support/random_litmus.hpp"
#include "tests/support/seeded_draws.hpp"

namespace rehearse::tests {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::string buffered(const std::string& instruction) {
  const std::string name = instruction[0] == 'i' ? "ibsend" : "bsend";
  return name + instruction.substr(instruction.find(' '));
}

}  // namespace

std::vector<std::vector<std::string>> instructions_of(const std::string& litmus) {
  std::vector<std::vector<std::string>> all;
  std::istringstream lines(litmus);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream parts(line.substr(line.find(':') + 1));
    all.emplace_back();
    for (std::string part; std::getline(parts, part, ';');) all.back().push_back(trimmed(part));
  }
  return all;
}

bool is_standard_send(const std::string& instruction) {
  return instruction.starts_with("send ") || instruction.starts_with("isend ") || instruction.starts_with("rsend ") ||
         instruction.starts_with("irsend ");
}

std::string with_buffered(const std::string& litmus, const std::function<bool(const std::string&)>& is_chosen) {
  std::string text;
  std::size_t actor = 0;
  for (const std::vector<std::string>& instructions : instructions_of(litmus)) {
    text += std::to_string(actor++) + ":";
    for (const std::string& instruction : instructions)
      text += ' ' + (is_standard_send(instruction) && is_chosen(instruction) ? buffered(instruction) : instruction) +
              " ;";
    if (text.back() == ';') text.pop_back();
    text += '\n';
  }
  return text;
}

std::string random_sends(std::uint64_t seed, bool polls) {
  SeededDraws draw(seed + 23);
  LitmusShape shape;
  shape.actors = 2 + draw(3);
  shape.messages = 3 + draw(5);
  for (bool* feature : {&shape.nonblocking, &shape.tags, &shape.synchronous, &shape.waitany, &shape.barriers,
                        &shape.collectives, &shape.modes, &shape.communicators, &shape.branches})
    *feature = draw(3) == 0;
  if (polls)
    for (bool* feature : {&shape.polls, &shape.probes, &shape.some}) *feature = draw(3) == 0;
  return random_litmus(seed, shape);
}

}  // namespace rehearse::tests
