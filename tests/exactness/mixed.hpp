// SPDX-License-Identifier: MIT
//
// Does one exploration find the ends of all choices of sends that are buffered? Random programs under Policy::mixed,
// compared with all interleavings of the same programs in which each set of sends becomes buffered ones, while no other
// send is buffered.
#pragma once

#include <cstdint>
#include <string>

#include "simcore/policy.hpp"

namespace rehearse::tests {

class MixedComparison {
 public:
  // False: the ends differ. The program is printed.
  bool add(std::uint64_t seed);
  bool has_own_ends() const { return own_ > 0; }  // otherwise the comparison says nothing
  void print() const;

 private:
  bool add(std::uint64_t seed, const std::string& litmus, bool synchronising);

  std::uint64_t programs_ = 0, too_large_ = 0, ends_ = 0;
  std::uint64_t own_ = 0;  // programs with an end that needs some sends buffered and others not
};

}  // namespace rehearse::tests
