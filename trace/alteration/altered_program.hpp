// SPDX-License-Identifier: MIT
//
// A trace with alterations: asks for the operations of another Program with other volumes and sizes.
//
// Threads: none.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "trace/replayed_program.hpp"

namespace rehearse::trace::alteration {

class AlteredProgram final : public ReplayedProgram {
 public:
  // Errors: a selection that fits nothing in the trace.
  static Result<std::unique_ptr<ReplayedProgram>> make(std::unique_ptr<ReplayedProgram> program,
                                                       const Alterations& alterations);

  const std::optional<Error>& problem() const override { return program_->problem(); }
  std::uint64_t actions() const override { return program_->actions(); }
  std::string format() const override { return program_->format(); }
  std::string about() const override { return program_->about(); }
  bool has_reductions() const override { return program_->has_reductions(); }
  FrozenAnswers frozen() const override { return program_->frozen(); }
  ActionPlace place(ActorId actor) override { return program_->place(actor); }
  std::vector<ActionPlace> places() const override { return program_->places(); }

  std::uint32_t actor_count() const override { return program_->actor_count(); }
  const Operation& next(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  std::unique_ptr<Snapshot> save(ActorId actor) override { return program_->save(actor); }
  void restore(ActorId actor, const Snapshot& snapshot) override { program_->restore(actor, snapshot); }
  std::uint64_t site(ActorId actor) override { return program_->site(actor); }
  std::string_view actor_noun() const override { return program_->actor_noun(); }
  SignatureText spell(std::uint64_t signature) override { return program_->spell(signature); }
  CallDescription describe(ActorId actor) override { return program_->describe(actor); }

 private:
  struct Rank {
    const Operation* asked = nullptr;  // by the other Program; null: not yet
    bool is_altered = false;
    Operation altered;
    std::vector<std::uint64_t> segments;
    std::uint64_t bursts = 0;
    double factor = 1;                                // of all computation
    std::unordered_map<std::uint32_t, double> sites;  // factors of its places
  };

  AlteredProgram(std::unique_ptr<ReplayedProgram> program, const Alterations& alterations);
  bool alter(ActorId actor, Rank& rank, const Compute& compute);
  bool alter(Rank& rank, const Send& send) const;
  bool alter(Rank& rank, const Post& post) const;
  bool alter(Rank& rank, const Collective& collective) const;
  double factor_of_place(ActorId actor, Rank& rank);
  double factor_of_speed(ActorId actor, const ActionPlace& place) const;
  std::uint64_t altered_bytes(std::uint64_t bytes) const;

  std::unique_ptr<ReplayedProgram> program_;
  Alterations alterations_;
  bool has_places_ = false;
  std::vector<Rank> ranks_;
};

}  // namespace rehearse::trace::alteration
