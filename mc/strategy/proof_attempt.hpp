// SPDX-License-Identifier: MIT
//
// An attempt to decide the program with merged states in another process, while this process visits executions.
//
// It begins when the exploration turns out to be long. What it proves, or the error that it finds, ends the
// exploration. It uses a processor that no exploring process needs, or else a tenth of the time of all processors.
//
// Errors: an attempt that ends without an answer is over; the exploration goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "mc/explore.hpp"
#include "mc/parallel/channel.hpp"

namespace rehearse::mc::strategy {

class ProofAttempt {
 public:
  // Whether merged states can answer what these options ask.
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
    bool is_proof = false;  // otherwise there is an error in `findings`
    Merging merging;
    std::vector<Finding> findings;
  };

  void begin();
  void end();
  void work(parallel::Channel& channel);
  std::optional<Answer> read(const parallel::Frame& frame) const;

  Program& program_;
  const ExploreOptions& options_;
  const Judge& judge_;
  std::optional<parallel::Child> child_;
  bool has_begun_ = false;
  std::optional<Answer> answer_;
};

}  // namespace rehearse::mc::strategy
