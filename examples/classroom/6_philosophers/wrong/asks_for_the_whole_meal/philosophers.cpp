// SPDX-License-Identifier: MIT
//
// Correct, but the waiter is busy while a philosopher eats, so they eat one after the other.
#include "simcore/actor_api.hpp"

namespace sim = rehearse::sim;

void dine(int, int, sim::Mutex& left, sim::Mutex& right, sim::Mutex& waiter, void (*eat)()) {
  waiter.lock();
  left.lock();
  right.lock();
  eat();
  right.unlock();
  left.unlock();
  waiter.unlock();
}
