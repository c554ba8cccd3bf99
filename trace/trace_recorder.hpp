// SPDX-License-Identifier: MIT
//
// Records a timed run of a Program as an .rtrace file: the Tap of the engine.
//
// Protocol: given to the engine, which must outlive no part of it; finish() once, after the run, while the program
// still
//           exists.
// Errors:   create() and finish(): the file.
// Threads:  none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "simcore/program.hpp"
#include "simcore/support/result.hpp"
#include "simcore/tap.hpp"

namespace rehearse::trace {

// The place of a call, by Program::site(). Empty texts: unknown.
struct CallPlace {
  std::string call, function, file;
  int line = 0;
};

class TraceRecorder final : public Tap {
 public:
  // `about`: JSON about the recording. `with_notes`: actors pay for received messages before their output, too, so
  // that must be repeated.
  static Result<std::unique_ptr<TraceRecorder>> create(const std::string& path, Program& program,
                                                       const std::string& about, bool with_notes);
  ~TraceRecorder() override;

  void on_answer(ActorId actor, const Operation& operation, const Observation& answer, Duration took) override;
  void on_application(ActorId actor, double flops, VolumeOrigin origin) override;
  void on_wildcard_match(ActorId actor, RequestId receive, const Envelope& message) override;
  void on_stop(ActorId actor, const Operation& operation) override;

  // `about`: JSON object with facts that were not known before; empty: none.
  Result<void> finish(const std::function<CallPlace(std::uint64_t site)>& locate, std::string about = {});

 private:
  class State;
  explicit TraceRecorder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rehearse::trace
