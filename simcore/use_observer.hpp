// SPDX-License-Identifier: MIT
//
// The work of activities on hosts and links over time, by category.
//
// Category:  a number that the starter of an activity chooses (Transfer::category, Computation::category); 0: none.
// Protocol:  CostModel::observe_uses(). Before the model goes to a later date, it calls reach(); then, for each
//            next_sample() up to that date, it reports the work of all activities in progress, and calls sampled().
//            Work of an activity that ends, fails, is cancelled or changes its resources is reported at once. So no
//            report reaches over a sample.
// Exactness: the reports of an activity add up to its work on each of its resources, whatever its rates were.
// Units:     flops; bytes on the links, with headers and cross-traffic as the network model has them.
// Threads:   none.
#pragma once

#include "simcore/platform.hpp"
#include "simcore/time.hpp"

namespace rehearse {

using Category = std::uint32_t;

class UseObserver {
 public:
  virtual ~UseObserver() = default;
  // The model is about to go to the date. It may call next_sample() after this.
  virtual void reach(TimePoint date) = 0;
  // Later than the last one.
  virtual TimePoint next_sample() const = 0;
  virtual void sampled(TimePoint date) = 0;
  // Since `from`, which is not before the last sample.
  virtual void on_host_use(HostId host, Category category, double flops, TimePoint from) = 0;
  virtual void on_link_use(LinkId link, Category category, double bytes, TimePoint from) = 0;
};

}  // namespace rehearse
