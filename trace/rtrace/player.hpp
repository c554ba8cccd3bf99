// SPDX-License-Identifier: MIT
//
// One recorded rank: the operations that it asks for (see recorded_program.hpp).
//
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "trace/replayed_program.hpp"
#include "trace/rtrace/by_call.hpp"
#include "trace/rtrace/event_conversion.hpp"
#include "trace/rtrace/file.hpp"
#include "trace/rtrace/open_requests.hpp"
#include "trace/rtrace/repetition.hpp"

namespace rehearse::trace::rtrace {

class Player {
 public:
  // The file must outlive it. `scratch` is used inside of calls only, so all ranks can have the same.
  Player(const File& file, std::uint32_t rank, Wildcards wildcards, Event& scratch);
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // Valid until go_on().
  const Operation& operation() const { return operation_; }
  void go_on(const Observation& observation);

  const std::optional<Error>& problem() const { return reader_.problem(); }
  std::uint64_t actions() const { return reader_.number(); }
  // The action at hand. Valid until go_on().
  const Asked& action() {
    if (is_repeated_) convert_repeated();
    return asked_;
  }
  const FrozenAnswers& frozen() const { return frozen_; }

 private:
  // What is asked about the action at hand.
  enum class Stage : std::uint8_t { plain, observe, undecided, repair, peek };

  void advance();
  bool repeat();
  bool repeat_wait(const Repetition& wait);
  bool repeat_compute(const Repetition& compute);
  void note_repetition(bool is_asked);
  void convert_repeated();
  bool take_next();
  const char* check();
  const char* check_collective(const Collective& collective);
  bool prepare();
  bool prepare_receive();
  bool prepare_observe();
  bool prepare_undecided(const Observe& observe);
  bool prepare_probe();
  bool is_withdrawn(RequestId receive) const;
  const Took* find_late(RequestId receive) const;

  void note_observed(const Observation& observation);
  void note_undecided(const Observation& observation);
  void note_peeked(const Observation& observation);
  bool wait_for_missing(std::vector<RequestId> missing);
  void refuse();
  void fail(FailureKind kind, std::string what);

  const File& file_;
  std::uint32_t rank_;
  Wildcards wildcards_;
  Reader reader_;
  Event& event_;  // the action that is being converted
  Asked asked_;
  Operation operation_ = End{};
  ByCall<Repetition> repetitions_;
  bool is_repeated_ = false;          // the action at hand is one, and asked_ is that of an earlier one
  std::uint32_t request_before_ = 0;  // the next request of the rank before the action
  Stage stage_ = Stage::plain;
  OpenRequests open_;             // as recorded
  std::vector<RequestId> early_;  // of these, those that are complete here
  std::vector<RequestId> observed_;
  std::vector<bool> received_;   // messages that probes took: whether a receive has got it
  std::vector<bool> is_member_;  // by context: checked
  std::string failure_;
  FrozenAnswers frozen_;
};

}  // namespace rehearse::trace::rtrace
