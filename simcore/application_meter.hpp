// SPDX-License-Identifier: MIT
//
// How much of this machine the application code of actors uses between its operations: processor time, or instructions.
//
// Protocol: whoever runs an actor's code says go() when it begins or continues, pause() when the actor asks or is in a
//           library that is not its own (LibraryCode in actor.hpp); the driver takes what was used since it last
//           took. Actors run one at a time, so one meter serves all.
// Units:    seconds on this machine.
// Accuracy: time is read from the processor's time stamp counter. Intervals longer than a time slice of the
//           scheduler may be are corrected by the thread's processor time, so that other processes on the machine
//           are not billed; an interval below that costs two reads of the counter. Of brief library code, which
//           may be shorter than those reads, one stretch in `brief_stretches` is measured; the others are taken off
//           by what the measured ones took on average. Instructions are always counted. What is counted of a stretch
//           with nothing in it, the cost of counting itself, is measured once and taken off every stretch.
// Threads:  the one that made it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "simcore/support/result.hpp"

namespace rehearse {

enum class ApplicationCost : std::uint8_t { none, measured, instructions };

class ApplicationMeter {
 public:
  // `seconds_per_instruction` is used for instructions only. The error says why this machine does not count them.
  static Result<std::unique_ptr<ApplicationMeter>> make(ApplicationCost what, double seconds_per_instruction);
  ~ApplicationMeter();
  ApplicationMeter(const ApplicationMeter&) = delete;
  ApplicationMeter& operator=(const ApplicationMeter&) = delete;

  void go();
  bool pause();  // whether it was going
  double take();

  // What was used and not taken, as it is counted; from now on it is `used` instead.
  std::uint64_t exchange(std::uint64_t used) {
    if (left_out_ > 0) take_off_left_out();
    return std::exchange(used_, used);
  }

  // A brief stretch of library code begins: whether it is one of those that are measured, with pause_for_brief() and
  // go_after_brief(). The others continue as if they were the actor's own.
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

  int counter_ = -1;  // the kernel's, of instructions; -1: time
  double seconds_per_tick_ = 0;
  bool is_going_ = false;
  std::uint64_t began_ = 0;
  std::uint64_t paused_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t longest_exact_ = 0;  // in ticks
  std::uint64_t empty_ticks_ = 0;    // counted between go() and pause() where nothing is between them
  std::uint64_t reference_ticks_ = 0;
  double reference_seconds_ = 0;      // of this thread, when the counter showed reference_ticks_
  std::uint32_t until_measured_ = 1;  // brief stretches, this one included
  std::uint32_t left_out_ = 0;        // brief stretches that are in what was used
  double brief_ticks_ = 0;            // of one of them
  std::uint64_t reading_ticks_ = 0;   // what a measured stretch has in it that the others have not
};

}  // namespace rehearse
