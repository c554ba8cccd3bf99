// SPDX-License-Identifier: MIT
//
// The possible next steps of a program, as an explorer of orders sees it.
//
// Protocol: list() says what can happen now; take() lets one of it happen; take_back() undoes the last that was taken.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mc/reduction/dependence.hpp"

namespace rehearse::mc::reduction {

// One thing that somebody can do next.
struct Step {
  std::uint64_t who = 0;    // does it: each does one thing after the other
  std::uint64_t what = 0;   // which of the things that the doer can do here
  bool is_possible = true;  // otherwise it waits for a token
  Footprint footprint;

  bool is(const Step& other) const { return who == other.who && what == other.what; }
};

class Steps {
 public:
  virtual ~Steps() = default;

  // Appends what can happen now, then what waits for a token.
  virtual void list(std::vector<Step>& steps) = 0;

  // One of those that list() gave. Sets what it really touched.
  virtual void take(Step& step) = 0;

  virtual void take_back() = 0;

  // Whether a doer can have several things to choose from. Then footprints say all about what makes what possible;
  // otherwise a doer may also be woken by a step that touches other things.
  virtual bool doers_choose() const = 0;
};

}  // namespace rehearse::mc::reduction
