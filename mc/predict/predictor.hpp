// SPDX-License-Identifier: MIT
//
// Predictive analysis of one execution: the errors of all executions in which each actor makes the same operations, but
// messages may be matched otherwise.
//
// Questions, under a policy: does some execution end in a deadlock, does one lose a message, does a receive take a
// message that is longer than its buffer, or of another type than the one that it took? The answer yes is a schedule.
// It is only a prediction: what a message contains may change what its receiver does. So the caller replays it, and
// reports what the replay shows.
//
// Complete: if all questions are answered, no execution of this course has such an error under this policy.
// Limits:  see Limits; each that is reached is a reason.
// Threads: none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mc/graph/graph.hpp"
#include "mc/predict/clusters.hpp"
#include "mc/predict/completion.hpp"
#include "mc/predict/course.hpp"
#include "mc/predict/encoding.hpp"
#include "mc/predict/must_order.hpp"
#include "simcore/policy.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::mc::predict {

struct Limits {
  std::uint32_t steps = 20'000'000;  // of the solver, for a question
  std::uint32_t refuted = 8;         // schedules of one question that replays do not confirm
  std::uint32_t ends = 64;           // deadlocks of one policy, if all are asked for
  std::uint32_t unseen = 256;        // questions about receives and messages of other lengths or types
};

// What the replay of a schedule showed: no error; that there is no such execution; an error; one behind which others
// are asked for. stopped: there must be no more questions.
enum class Shown : std::uint8_t { nothing, unreal, error, error_and_more, stopped };

struct Predictions {
  std::vector<std::string> open;  // why errors of this course may have been missed, as sentences; empty: none were
  std::uint64_t questions = 0;
  std::uint64_t confirmed = 0, refuted = 0;  // schedules
};

class Predictor {
 public:
  // Copies what it needs of the execution, in which all actors have ended.
  Predictor(const graph::Graph& graph, const std::vector<Policy>& policies, const std::string& actor_noun,
            const Rules& rules = {}, const Limits& limits = {});

  // What prevents any prediction, and what keeps the answers from being complete: as in Course.
  const std::vector<std::string>& unsupported() const { return course_.unsupported; }
  const std::vector<std::string>& open() const { return course_.open; }
  // Messages and receives that compete.
  std::uint64_t messages() const { return messages_; }
  std::uint64_t receives() const { return receives_; }

  using Replay = std::function<Shown(const Schedule&)>;

  // Asks all questions under the policy of this index. Only if nothing is unsupported.
  Predictions predict(std::size_t policy, const Replay& replay);

 private:
  struct UnderPolicy {
    Policy policy;
    std::vector<Completion> completions;
    Clusters clusters;
    MustOrder order;
  };
  class Asking;

  Course course_;
  Rules rules_;
  Limits limits_;
  std::vector<UnderPolicy> policies_;
  std::uint64_t messages_ = 0, receives_ = 0;
};

}  // namespace rehearse::mc::predict
