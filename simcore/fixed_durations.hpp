// SPDX-License-Identifier: MIT
//
// A cost model whose transfers may each take a time of their own, which nothing changes, and use nothing. The timed
// driver then needs no activity for a transfer.
//
// Units: as cost_model.hpp.
#pragma once

#include "simcore/time.hpp"
#include "simcore/transfer.hpp"

namespace rehearse {

class FixedDurations {
 public:
  virtual ~FixedDurations() = default;
  // Whether all transfers are like this, if nobody switches a host off.
  virtual bool are_fixed() const = 0;
  // Requires: are_fixed(). In place of CostModel::start().
  virtual Duration fixed_duration(const Transfer& transfer, TimePoint now) = 0;
};

}  // namespace rehearse
