// SPDX-License-Identifier: MIT
//
// The backward half of receives-from exploration: offers a new send or arrival to every earlier observation that could
// have read it and is not in its past (backward revisits).
//
// A revisit keeps the events added before the observation and the past of the offered event, and drops all others. It
// is made only if each dropped observation has the option that the scheduler would have chosen first without the
// offered event. Then exactly one path leads to each graph.
//
// Errors: an index that fits no observation of this graph: PathLost. If an actor is interrupted in the middle of a
//         revisit, the revisit is undone, and GivenUp is thrown.
// Source: Enea, Giannakopoulou, Kokologiannakis, Majumdar, "Model Checking Distributed Protocols in Must", OOPSLA 2024;
//         Kokologiannakis et al., "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mc/reduction/execution_builder.hpp"
#include "mc/reduction/path.hpp"

namespace rehearse::mc::reduction {

using graph::EventRef;

// The record of a revisit, to undo it.
struct Revisit {
  std::uint32_t actor = 0;                     // the actor with the revisited observation
  std::vector<graph::Graph::Removed> removed;  // dropped events, newest first; the last one is the observation
  std::uint32_t next_stamp = 0;                // of the graph before the revisit
};

class Revisits {
 public:
  // The builder must outlive it.
  explicit Revisits(ExecutionBuilder& builder) : builder_(builder) {}

  // Whether an observation exists that the event may revisit.
  bool may_revisit(EventRef offered) const;

  // Goes to the next candidate: an earlier observation that could read the offered event and is not in its past. Goes
  // through the observations of one reader, newest first, then through those of the next. `options`: those of its
  // options that read the event. False: there are no more candidates.
  bool next_candidate(EventRef offered, std::optional<CandidateIndex>& candidate, std::vector<graph::Option>& options);
  // Sets the options of this candidate. False: it could not read the event.
  bool load_candidate(EventRef offered, CandidateIndex at, std::vector<graph::Option>& options);

  // Nothing: the revisit is not made, because another path leads to its graph.
  std::optional<Revisit> try_revisit(EventRef offered, CandidateIndex at, const graph::Option& option);
  void undo(std::uint32_t actor, std::vector<graph::Graph::Removed>& removed, std::uint32_t next_stamp);

 private:
  const graph::Graph& graph() const { return builder_.graph(); }
  EventRef candidate_of(EventRef offered, CandidateIndex at) const;
  std::optional<std::uint32_t> reader_of(EventRef offered, std::size_t ordinal) const;
  bool reads(std::uint32_t reader, const graph::Event& observation, const graph::Option& option,
             EventRef offered) const;
  bool droppable(EventRef offered, EventRef revisited, std::span<const std::uint32_t> keep,
                 std::span<const std::uint32_t> past);
  bool is_canonical(std::uint32_t actor, graph::EventIndex index, EventRef offered,
                    std::span<const std::uint32_t> past);
  void remove_behind(std::span<const std::uint32_t> keep, std::vector<graph::Graph::Removed>& removed);
  std::uint32_t count_until(std::uint32_t actor, std::uint32_t stamp) const;

  ExecutionBuilder& builder_;
  std::vector<graph::Option> scratch_;
};

}  // namespace rehearse::mc::reduction
