// SPDX-License-Identifier: MIT
//
// A list of statements in which repeated sequences are loops.
//
// Cost: a statement is compared with the ends of at most `longest_body` sequences before it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

namespace rehearse::trace::c {

// A statement, or passes of a loop.
struct Item {
  std::uint32_t number = 0;  // of the statement, or of the body
  std::uint64_t times = 0;   // 0: a statement
  auto operator<=>(const Item&) const = default;
};

// The statements and loops of all ranks, each different one once.
class Statements {
 public:
  std::uint32_t number_of(const std::string& text);
  std::uint32_t number_of(const std::vector<Item>& body);
  const std::vector<Item>& body(std::uint32_t number) const { return *bodies_[number]; }
  void write(std::ostream& out, const std::vector<Item>& list, int depth) const;

 private:
  std::unordered_map<std::string, std::uint32_t> by_text_;
  std::vector<const std::string*> texts_;
  std::map<std::vector<Item>, std::uint32_t> by_body_;
  std::vector<const std::vector<Item>*> bodies_;
};

class FoldedCalls {
 public:
  static constexpr std::size_t longest_body = 128;

  explicit FoldedCalls(Statements& statements) : statements_(statements) {}
  void add(const std::string& text);
  const std::vector<Item>& list() const { return list_; }

 private:
  bool fold();

  Statements& statements_;
  std::vector<Item> list_;
};

}  // namespace rehearse::trace::c
