// SPDX-License-Identifier: MIT
//
// Dining philosophers. The last one takes the forks in the opposite order. So all take the fork with the smaller number
// first, and the philosopher who holds the fork with the largest number can always continue.
#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

void dine(int seat, int seats, sim::Mutex& left, sim::Mutex& right, sim::Mutex& waiter, void (*eat)()) {
  (void)waiter;
  sim::Mutex& first = seat + 1 == seats ? right : left;
  sim::Mutex& second = seat + 1 == seats ? left : right;
  first.lock();
  if (seats > 1) second.lock();  // a single philosopher has only one fork
  eat();
  if (seats > 1) second.unlock();
  first.unlock();
}
