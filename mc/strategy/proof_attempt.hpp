// SPDX-License-Identifier: MIT
//
// An attempt to decide the program by flow equations, by footprints or with merged states in other processes, while
// this process visits executions.
//
// It begins when the exploration turns out to be long. The three take turns, each in a process of its own, until one
// has an answer or none can have one. What they prove, or an error that merged states find, ends the exploration. All
// together they use a processor that no exploring process needs, or else a part of the time of all processors.
//
// Errors: an attempt that ends without an answer is over; the exploration goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "mc/parallel/channel.hpp"
#include "mc/records/records.hpp"

namespace rehearse::mc::strategy {

class ProofAttempt {
 public:
  // Whether such an attempt can answer what these options ask.
  static bool is_possible(const Program& program, const ExploreOptions& options);

  // The arguments must outlive the attempt.
  ProofAttempt(Program& program, const ExploreOptions& options, const Judge& judge)
      : program_(program), options_(options), judge_(judge) {}
  ~ProofAttempt() { end(); }
  ProofAttempt(const ProofAttempt&) = delete;
  ProofAttempt& operator=(const ProofAttempt&) = delete;

  // From now on, the text of a proof is kept, as explore_and_keep_proof() says.
  void keep_text() { keeps_text_ = true; }

  // Begins when it is time. Returns the reason to stop the exploration if there is an answer. Call it often.
  std::optional<std::string> look(std::uint64_t executions, double seconds, bool has_error);

  // Completes the verdict of the exploration by the answer, if it was the reason to stop.
  void add_to(Verdict& verdict) const;

  // Of a proof by flow equations or footprints, if texts are kept; otherwise empty.
  const std::string& text() const { return answer_ ? answer_->text : no_text_; }

 private:
  struct Answer {
    bool is_proof = false;           // otherwise there is an error in `findings`
    std::optional<Merging> merging;  // of a proof: one of both
    std::optional<FlowProof> flow;
    std::vector<std::string> assumptions;
    std::vector<Finding> findings;
    std::string text;  // of a proof, if it is kept
  };

  void begin();
  void end();
  void work(parallel::Channel& channel);
  std::optional<Answer> attempt(Reduction reduction);
  static void write(const Answer& answer, records::Writer& to);
  static std::optional<Answer> read(const parallel::Frame& frame);

  Program& program_;
  const ExploreOptions& options_;
  const Judge& judge_;
  std::optional<parallel::Child> child_;
  bool has_begun_ = false, keeps_text_ = false;
  std::optional<Answer> answer_;
  std::string no_text_;
};

}  // namespace rehearse::mc::strategy
