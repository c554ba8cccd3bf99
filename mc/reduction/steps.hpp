// SPDX-License-Identifier: MIT
//
// The possible next steps of a program: the interface through which ODPOR explores orders of steps.
//
// Protocol: list() lists the next steps, take() takes one of them, take_back() undoes the last one taken.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mc/reduction/dependence.hpp"

namespace rehearse::mc::reduction {

// A possible next step of a doer (in most papers: a process).
struct Step {
  std::uint64_t who = 0;    // the doer; the steps of a doer are in program order
  std::uint64_t what = 0;   // the alternative that the doer chooses here
  bool is_possible = true;  // false: the step waits for a token
  Footprint footprint;

  bool is(const Step& other) const { return who == other.who && what == other.what; }
};

class Steps {
 public:
  virtual ~Steps() = default;

  // Appends the steps that are possible now, then those that wait for a token.
  virtual void list(std::vector<Step>& steps) = 0;

  // Takes a possible step of list(). Sets the footprint to the objects that the step really accessed.
  virtual void take(Step& step) = 0;

  virtual void take_back() = 0;

  // Whether a doer can have several alternatives. Then a step enables another one only if their footprints are
  // dependent; otherwise a step may also wake a doer whose next step accesses other objects.
  virtual bool doers_choose() const = 0;
};

}  // namespace rehearse::mc::reduction
