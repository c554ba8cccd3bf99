// SPDX-License-Identifier: MIT
//
// How much of this machine the own code of actors uses between its operations: processor time, or instructions.
//
// Protocol: whoever runs an actor's code says go() when it begins or goes on, pause() when the actor asks or is in a
//           library that is not its own (LibraryCode in actor.hpp); the driver takes what was used since it last
//           took. Actors run one at a time, so one meter serves all.
// Units:    seconds on this machine.
// Accuracy: time is read from the processor's time stamp counter. Intervals longer than a time slice of the
//           scheduler may be are corrected by the thread's processor time, so that other processes on the machine
//           are not billed; an interval below that costs two reads of the counter.
// Threads:  the one that made it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "simcore/support/result.hpp"

namespace rehearse {

enum class OwnCode : std::uint8_t { none, measured, instructions };

class OwnCodeMeter {
 public:
  // `seconds_per_instruction` is used for instructions only. The error says why this machine does not count them.
  static Result<std::unique_ptr<OwnCodeMeter>> make(OwnCode what, double seconds_per_instruction);
  ~OwnCodeMeter();
  OwnCodeMeter(const OwnCodeMeter&) = delete;
  OwnCodeMeter& operator=(const OwnCodeMeter&) = delete;

  void go();
  bool pause();  // whether it was going
  double take();

  // What was used and not taken, as it is counted; from now on it is `used` instead.
  std::uint64_t exchange(std::uint64_t used) { return std::exchange(used_, used); }

 private:
  OwnCodeMeter() = default;
  std::uint64_t count() const;
  void calibrate();
  void note_reference(std::uint64_t ticks);
  std::uint64_t without_others(std::uint64_t used, std::uint64_t now);

  int counter_ = -1;  // the kernel's, of instructions; -1: time
  double seconds_per_tick_ = 0;
  bool is_going_ = false;
  std::uint64_t began_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t longest_exact_ = 0;  // in ticks
  std::uint64_t reference_ticks_ = 0;
  double reference_seconds_ = 0;  // of this thread, when the counter showed reference_ticks_
};

}  // namespace rehearse
