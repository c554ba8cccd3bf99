// SPDX-License-Identifier: MIT
//
// What a Program says about what its actors did so far: what keeps it from telling all that they could have done, and
// what it took for granted.
#pragma once

#include <string>
#include <vector>

namespace rehearse {

struct Reservations {
  std::vector<std::string> unsupported = {};  // by name: not all of its outcomes can be seen
  std::vector<std::string> assumptions = {};  // sentences that hold unless the program does what nobody looked for
};

}  // namespace rehearse
