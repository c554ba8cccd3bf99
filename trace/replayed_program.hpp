// SPDX-License-Identifier: MIT
//
// A trace of any format as a Program, with the facts that a replay reports.
//
// Ownership: texts of an ActionPlace are valid until the actor is resumed; those of places() as long as the Program.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/program.hpp"
#include "simcore/support/result.hpp"
#include "trace/alterations.hpp"
#include "trace/wildcards.hpp"

namespace rehearse::trace {

// The next action of an actor and the place of its call. Empty texts: unknown.
struct ActionPlace {
  std::string_view action;  // the called function, or the action of a time-independent trace in lower case
  std::string_view function, file;
  std::uint32_t line = 0;
  std::uint32_t site = 0;  // number of the place in the trace; 0: the trace has no places
};

// Answers of the recorded machine that are kept on every machine.
struct FrozenAnswers {
  std::uint64_t wildcards = 0;  // receives that take the recorded message
  std::uint64_t polls = 0;      // tests and probes that were answered yes
};

class ReplayedProgram : public Program {
 public:
  // What is wrong with the trace; nothing so far.
  virtual const std::optional<Error>& problem() const = 0;
  // Actions that were replayed.
  virtual std::uint64_t actions() const = 0;
  virtual std::string format() const = 0;
  // JSON about the recording; empty: the format has none.
  virtual std::string about() const { return {}; }
  // Whether the trace has the volumes of reductions as computation of the ranks.
  virtual bool has_reductions() const { return true; }
  // Actors behind those of the ranks compute for a rank.
  virtual std::uint32_t ranks() const { return actor_count(); }
  virtual std::uint32_t rank_of(ActorId actor) const { return actor.value; }
  // In the actions that were replayed.
  virtual FrozenAnswers frozen() const = 0;

  // Of next(actor).
  virtual ActionPlace place(ActorId actor) = 0;
  // The places of all calls; empty: the trace has none.
  virtual std::vector<ActionPlace> places() const { return {}; }
};

// Faults that the trace itself shows (diagnosis.hpp), as Reports of its ranks.
enum class Reports : std::uint8_t { none, all };

// A trace of any format, which is recognised by its content. `wildcards` matters for recordings, and
// `reports` for others: the run that was recorded has reported the faults of a recording.
Result<std::unique_ptr<ReplayedProgram>> open_program(const std::string& path, Wildcards wildcards,
                                                      Reports reports = Reports::none);

// `count` replicas of the trace, whose ranks share the machine only. The ranks of a replica follow those of the one
// before it. Errors: as open_program(); too many ranks.
inline constexpr std::uint32_t most_replicated_ranks = 1u << 24;
Result<std::unique_ptr<ReplayedProgram>> open_replicas(const std::string& path, Wildcards wildcards,
                                                       std::uint32_t count);

// The Program with alterations. Errors: a selection of computation that fits nothing in the trace.
Result<std::unique_ptr<ReplayedProgram>> alter(std::unique_ptr<ReplayedProgram> program,
                                               const Alterations& alterations);

}  // namespace rehearse::trace
