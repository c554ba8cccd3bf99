// SPDX-License-Identifier: MIT
//
// Measures the application code of actors between operations: processor time, or instructions.
//
// Protocol: the Program calls go() when the code of an actor begins or continues, and pause() when the actor asks or
//           enters a library (LibraryCode in actor.hpp). The driver calls take() for the use since its last call.
//           Actors run one at a time, so one meter serves all.
// Units:    seconds on this machine.
// Accuracy: time is read from the processor's time stamp counter. Intervals longer than the shortest time slice of the
//           scheduler are corrected by the thread's processor time, so that other processes on the machine do not
//           count. A shorter interval costs two reads of the counter. Brief library code may be shorter than these
//           reads. So only one of `brief_stretches` stretches of it is measured, and the average of the measured ones
//           is subtracted for the others. Instructions are always counted. The overhead of measuring, that of an empty
//           stretch, is measured once and subtracted from every stretch. It is larger after a switch of stacks.
// Threads:  only the thread that made it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "simcore/support/result.hpp"

namespace rehearse {

enum class ApplicationCost : std::uint8_t { none, measured, instructions };

class ApplicationMeter {
 public:
  // `seconds_per_instruction` is only for instructions. The error is the reason why this machine cannot count them.
  static Result<std::unique_ptr<ApplicationMeter>> make(ApplicationCost what, double seconds_per_instruction);
  ~ApplicationMeter();
  ApplicationMeter(const ApplicationMeter&) = delete;
  ApplicationMeter& operator=(const ApplicationMeter&) = delete;

  void go();
  void note_switch() { is_switched_ = true; }  // the next go() is the first one after a switch of stacks
  bool pause();                                // whether it was running
  double take();
  // Measures the overhead behind a switch of stacks again. `at_switch` does what the Program does at each switch, such
  // as a system call, behind which caches and predictors are cold. Call it while the meter is paused; sets the count
  // to 0. Has no effect on a meter of instructions.
  void calibrate_switch(void (*at_switch)());
  // Time that counts as measured, before the next take().
  void add(double seconds) { used_ += static_cast<std::uint64_t>(seconds / seconds_per_tick_ + 0.5); }

  // Returns the raw count that was not taken yet, and sets it to `used`.
  std::uint64_t exchange(std::uint64_t used) {
    if (left_out_ > 0) take_off_left_out();
    return std::exchange(used_, used);
  }

  // To be called when a brief stretch of library code begins. True: measure it with pause_for_brief() and
  // go_after_brief(). False: continue as if it were application code.
  bool measures_brief() {
    if (counter_ >= 0) return true;
    if (!is_going_) return false;
    if (--until_measured_ == 0) return true;
    ++left_out_;
    return false;
  }
  bool pause_for_brief();
  void go_after_brief();

 private:
  ApplicationMeter() = default;
  std::uint64_t count() const;
  void calibrate();
  void measure_empty();
  void go_on_from(std::uint64_t now);
  void take_off_left_out();
  void note_reference(std::uint64_t ticks);
  std::uint64_t without_others(std::uint64_t used, std::uint64_t now);

  int counter_ = -1;  // descriptor of the kernel's counter of instructions; -1: measures time
  double seconds_per_tick_ = 0;
  bool is_going_ = false;
  std::uint64_t began_ = 0;
  std::uint64_t paused_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t longest_exact_ = 0;  // in ticks
  std::uint64_t empty_ticks_ = 0;    // count of an empty stretch
  std::uint64_t resumed_ticks_ = 0;  // of one behind a switch of stacks (compute/resumed_stretch.hpp)
  std::uint64_t overhead_ = 0;       // of the stretch that is going
  bool is_switched_ = false;
  std::uint64_t reference_ticks_ = 0;
  double reference_seconds_ = 0;      // processor time of this thread at reference_ticks_
  std::uint32_t until_measured_ = 1;  // number of brief stretches until the next measured one
  std::uint32_t left_out_ = 0;        // unmeasured brief stretches in the current count
  double brief_ticks_ = 0;            // average of a brief stretch
  std::uint64_t reading_ticks_ = 0;   // overhead that only measured stretches have
};

}  // namespace rehearse
