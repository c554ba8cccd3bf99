// SPDX-License-Identifier: MIT
//
// An attempt to decide the program by flow equations or with merged states in another process, while this process
// visits executions.
//
// It begins when the exploration turns out to be long. Flow equations and merged states take turns: each gets one
// second, then two, and so on, until it has an answer or cannot have one. What they prove, or an error that merged
// states find, ends the exploration. The attempt uses a processor that no exploring process needs, or else a part of
// the time of all processors.
//
// Errors: an attempt that ends without an answer is over; the exploration goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "mc/parallel/channel.hpp"
#include "mc/records/records.hpp"

namespace rehearse::mc::strategy {

class ProofAttempt {
 public:
  // Whether flow equations or merged states can answer what these options ask.
  static bool is_possible(const Program& program, const ExploreOptions& options);

  // The arguments must outlive the attempt.
  ProofAttempt(Program& program, const ExploreOptions& options, const Judge& judge)
      : program_(program), options_(options), judge_(judge) {}
  ~ProofAttempt() { end(); }
  ProofAttempt(const ProofAttempt&) = delete;
  ProofAttempt& operator=(const ProofAttempt&) = delete;

  // Begins when it is time. Returns the reason to stop the exploration if there is an answer. Call it often.
  std::optional<std::string> look(std::uint64_t executions, double seconds, bool has_error);

  // Completes the verdict of the exploration by the answer, if it was the reason to stop.
  void add_to(Verdict& verdict) const;

 private:
  struct Answer {
    bool is_proof = false;           // otherwise there is an error in `findings`
    std::optional<Merging> merging;  // of a proof: one of both
    std::optional<FlowProof> flow;
    std::vector<std::string> assumptions;
    std::vector<Finding> findings;
  };
  // What one of the two has come to.
  struct Turn {
    std::optional<Answer> answer;
    bool may_go_on = false;  // with more time, there may be an answer
  };

  void begin();
  void end();
  void work(parallel::Channel& channel);
  Turn try_for(Reduction reduction, double seconds, const std::function<void()>& pause);
  static void write(const Answer& answer, records::Writer& to);
  static std::optional<Answer> read(const parallel::Frame& frame);

  Program& program_;
  const ExploreOptions& options_;
  const Judge& judge_;
  std::optional<parallel::Child> child_;
  bool has_begun_ = false;
  std::optional<Answer> answer_;
};

}  // namespace rehearse::mc::strategy
