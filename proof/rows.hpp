// SPDX-License-Identifier: MIT
//
// The rows that every state of a kind satisfies, by their names in proof files (docs/proofs.md). A state has a variable
// for each step (it has happened), each point (its rank stands there) and each message (it was sent and not taken).
//
// Errors: BadLine, if there is no such row.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "proof/counters.hpp"
#include "proof/exact_sum.hpp"
#include "proof/lines.hpp"
#include "proof/net.hpp"

namespace rehearse::proof {

// Before a failing step; when no rank can continue; when all ranks have ended.
enum class Kind : std::uint8_t { failure, deadlock, loss };

struct StateQuestion {
  Kind kind = Kind::failure;
  std::vector<std::uint32_t> elements;  // deadlock: points; loss: messages
  bool is_after_others = false;         // deadlock: no rank stands at the points of earlier questions
  std::uint32_t point = none;           // at which a rank stands; none: it is one of several
  std::uint32_t message = none;         // that is there; none: none, or one of several
};

class Rows {
 public:
  Rows(const Net& net, const std::vector<std::uint32_t>& order);

  std::size_t variable_count() const { return net_.steps.size() + net_.points.size() + net_.messages.size(); }
  std::uint32_t step(std::uint32_t id) const { return id; }
  std::uint32_t point(std::uint32_t id) const { return static_cast<std::uint32_t>(net_.steps.size()) + id; }
  std::uint32_t message(std::uint32_t id) const {
    return static_cast<std::uint32_t>(net_.steps.size() + net_.points.size()) + id;
  }

  // The row that the words of the line name, before the multiplier. `used`: the number of these words.
  Row named(const Lines& line, const StateQuestion& question, std::size_t& used);

 private:
  using Group = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>>;

  Row balance_of_point(std::uint32_t id) const;
  Row balance_of_message(std::uint32_t id) const;
  Row takes(const Lines& line) const;
  Row stays(const Lines& line) const;
  Row ended(std::uint32_t rank) const;
  Row fact(const Lines& line, const StateQuestion& question, bool is_taken);
  Row some_of(const StateQuestion& question) const;

  const Net& net_;
  Counters counters_;
  std::vector<std::vector<std::uint32_t>> into_, out_of_;     // by point: steps
  std::vector<std::vector<std::uint32_t>> senders_, takers_;  // by message: steps
  std::vector<std::uint32_t> sent_at_start_;                  // by message: how often
  std::vector<std::set<std::uint32_t>> where_;                // by message: points that take or accept it
  std::map<Group, std::vector<std::uint32_t>> alike_;         // messages of a number with the same points
};

}  // namespace rehearse::proof
