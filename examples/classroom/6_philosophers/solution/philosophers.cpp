// SPDX-License-Identifier: MIT
//
// Dining philosophers. The last one takes the forks the other way round, so that all take the one with the smaller
// number first: whoever holds the largest that is taken can go on.
#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

void dine(int seat, int seats, sim::Mutex& left, sim::Mutex& right, sim::Mutex& waiter, void (*eat)()) {
  (void)waiter;
  sim::Mutex& first = seat + 1 == seats ? right : left;
  sim::Mutex& second = seat + 1 == seats ? left : right;
  first.lock();
  if (seats > 1) second.lock();  // alone, one has one fork
  eat();
  if (seats > 1) second.unlock();
  first.unlock();
}
