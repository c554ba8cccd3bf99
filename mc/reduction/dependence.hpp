// SPDX-License-Identifier: MIT
//
// The dependence of steps: two steps of different doers are dependent if they access one object in ways whose order
// matters, and only then. simcore/way.hpp defines the kinds of access.
//
// Source: Mazurkiewicz, "Trace Theory", 1986.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "simcore/way.hpp"

namespace rehearse::mc::reduction {

// The objects that a step accesses.
struct Footprint {
  bool anything = false;  // the objects are not known: the step depends on all others
  bool strayed = false;   // the step accessed more objects than it announced; `touches` has only the announced ones
  boost::container::small_vector<Touch, 2> touches;
};

// Whether the order of two accesses to one object matters.
bool dependent(Access a, Access b);

bool dependent(const Footprint& a, const Footprint& b);

}  // namespace rehearse::mc::reduction
