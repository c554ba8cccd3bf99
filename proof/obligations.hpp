// SPDX-License-Identifier: MIT
//
// What a proof must show about a net: the questions that are open.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "proof/net.hpp"
#include "proof/rows.hpp"

namespace rehearse::proof {

class Obligations {
 public:
  explicit Obligations(const Net& net);

  // The question has no solution.
  void discharge(const StateQuestion& question);

  // An open question, in words; empty: none.
  std::string open() const;

 private:
  std::set<std::pair<std::uint32_t, std::uint32_t>> failures_;  // point, message or none
  std::set<std::uint32_t> stays_;                               // points where a rank may stay
  std::set<std::uint32_t> messages_;
};

}  // namespace rehearse::proof
