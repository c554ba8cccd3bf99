// SPDX-License-Identifier: MIT
//
// The backward half of receives-from exploration: a new send or arrival is offered to every earlier observation that
// could have read it and that is not in its past.
//
// A revisit keeps what was there before the observation and the past of the offered event, and drops the rest. It is
// taken only if all that it drops is what the scheduler would have chosen anyway, so that no two paths lead to one
// graph.
//
// Errors: an index that fits no observation of this graph: PathLost is thrown. An actor that is given up in the middle
//         of a revisit: GivenUp is thrown, and the graph is as before.
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

// A revisit that was made.
struct Revisit {
  std::uint32_t actor = 0;                     // whose observation was revisited
  std::vector<graph::Graph::Removed> removed;  // newest first; the last one is the observation
  std::uint32_t next_stamp = 0;                // before it
};

class Revisits {
 public:
  // The builder must outlive it.
  explicit Revisits(ExecutionBuilder& builder) : builder_(builder) {}

  // Whether the event finds anything that it could revisit.
  bool may_revisit(EventRef offered) const;

  // Continues to the next earlier observation, of the next reader when all of one were tried, that could read the
  // offered event and is not in its past; `options` are those of its options that read the event. False: there are no
  // more.
  bool next_candidate(EventRef offered, std::optional<CandidateIndex>& candidate, std::vector<graph::Option>& options);
  // The same for this candidate. False: it could not read the event.
  bool load_candidate(EventRef offered, CandidateIndex at, std::vector<graph::Option>& options);

  // Nothing: what it would drop is not what the scheduler would have chosen.
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
