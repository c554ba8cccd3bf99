// SPDX-License-Identifier: MIT
//
// The dependence of steps: two steps of different doers are dependent if they access one object in ways whose order
// matters, and only then.
//
// Source: Mazurkiewicz, "Trace Theory", 1986; what the accesses are is in simcore/way.hpp.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "simcore/way.hpp"

namespace rehearse::mc::reduction {

// What a step touches.
struct Footprint {
  bool anything = false;  // it is not known: then it depends on all others
  bool strayed = false;   // it touched more than it had said, and that is not among the touches
  boost::container::small_vector<Touch, 2> touches;
};

// Whether the order of two accesses to one object matters.
bool dependent(Access a, Access b);

bool dependent(const Footprint& a, const Footprint& b);

}  // namespace rehearse::mc::reduction
