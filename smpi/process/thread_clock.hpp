// SPDX-License-Identifier: MIT
//
// The time of a rank's threads, which run one after another on this machine but side by side in the simulation.
//
// Model:  each thread has its own moment. Its code moves it forward, and so do sleeps. A thread that gets what it
//         waited for continues no earlier than the moment of the thread that gave it. Code between two waits is put, in
//         the order in which it ran, on the first free core (list scheduling; Graham, Bounds on multiprocessing timing
//         anomalies, 1969). The rank itself, and so its MPI calls and clocks, is at the latest moment at which one of
//         its threads made an operation.
// Limits: threads use the cores for whole stretches of code. An MPI call stops all threads; its duration is not part of
//         any moment.
// Units:  seconds of code on this machine; stated volumes count at the rate of VolumeRates.
#pragma once

#include <cstdint>
#include <vector>

namespace rehearse {
class ApplicationMeter;
}

namespace rehearse::smpi {

// A moment, and how much of the way to it was sleep or stated volumes.
struct ThreadMoment {
  double total = 0;
  double slept = 0;
  double stated = 0;

  // As the later one.
  void reach(const ThreadMoment& other) {
    if (other.total > total) *this = other;
  }
  void sleep_until(double moment) {
    if (moment <= total) return;
    slept += moment - total;
    total = moment;
  }
};

struct ThreadClock {
  std::vector<double> cores;  // the moment from which each is free
  ThreadMoment rank;          // up to which the driver knows
  double stated = 0;          // of the running stretch, in seconds

  // Adds the code since the last call to the thread's moment.
  void book(ThreadMoment& thread, ApplicationMeter* meter);
};

}  // namespace rehearse::smpi
