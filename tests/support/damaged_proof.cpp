// SPDX-License-Identifier: MIT
//
// Damages: a line less, a line twice, two lines exchanged, another number in a line.
#include "tests/support/damaged_proof.hpp"

#include <cstdint>
#include <sstream>
#include <utility>
#include <vector>

#include "proof/check_proof.hpp"

namespace rehearse::tests {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

// Another number in the place of one of the line.
std::string with_other_number(const std::string& line, SplitMix& draw) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(std::move(word));
  if (words.size() < 2) return line;
  std::string& word = words[1 + draw.below(words.size() - 1)];
  const std::int64_t change = draw.below(2) == 0 ? 1 : -1;
  word = word.find_first_not_of("-0123456789") == std::string::npos && word != "-"
             ? std::to_string(std::stoll(word) + change)
             : "0";
  std::string result;
  for (const std::string& each : words) result += (result.empty() ? "" : " ") + each;
  return result;
}

}  // namespace

bool is_accepted(const std::string& text) {
  std::istringstream in(text);
  const Result<proof::Judgement> judged = proof::check_proof(in);
  return judged && judged.value().refusal.empty();
}

std::string damaged(const std::string& text, SplitMix& draw) {
  std::vector<std::string> lines = lines_of(text);
  const std::size_t at = 2 + draw.below(lines.size() - 2), other = 2 + draw.below(lines.size() - 2);
  switch (draw.below(4)) {
    case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 1: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[other]); break;
    case 2: std::swap(lines[at], lines[other]); break;
    default: lines[at] = with_other_number(lines[at], draw);
  }
  std::string result;
  for (const std::string& line : lines) result += line + '\n';
  return result;
}

}  // namespace rehearse::tests
