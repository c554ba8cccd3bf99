// SPDX-License-Identifier: MIT
//
// Listens to a replay and notes the operations that take time, with the causes of their ends.
//
// Protocol: finish() once, after a replay in which every rank has ended.
// Threads:  none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/trace/wait_causes.hpp"
#include "app/trace_profile.hpp"
#include "simcore/engine.hpp"
#include "simcore/timeline.hpp"

namespace rehearse::app {

class ReplayProfiler final : public ReplayListener, public Timeline {
 public:
  bool needs_ranks_alone() const override { return true; }
  Timeline& listen(trace::ReplayedProgram& program, const Machine& machine) override;

  void on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) override;
  void on_computation(ActorId, TimePoint, TimePoint) override {}  // replays have none
  void on_delivery(const Delivery& delivery) override;
  void on_visible(const SendName& send, ActorId destination, TimePoint now) override;
  void on_match(ActorId actor, RequestId receive, const SendName& send, TimePoint now) override;

  TimeProfile finish(const RunResult& result);

 private:
  // A request that is complete, and the message that made it so.
  struct Completion {
    RequestId request;
    TimePoint date;
    WaitCause cause;
  };
  struct SeenMessage {
    std::uint64_t name = 0;
    TimePoint date;
  };
  struct Rank {
    TimePoint last_end;
    std::uint32_t last_row = 0;
    std::vector<Completion> completions;  // since last_end
    SeenMessage last_visible;
    std::unordered_map<std::uint64_t, std::uint64_t> collectives;       // by context: calls so far
    std::unordered_map<std::uint32_t, std::uint32_t> open_collectives;  // by request: instance
  };
  struct Flight {
    TimePoint visible, matched;
  };

  std::uint32_t row_of(ActorId actor, const Operation& operation);
  std::uint32_t row_of_place(const trace::ActionPlace& place, bool is_computation);
  std::uint32_t add_row(const trace::ActionPlace& place, std::string_view action);
  std::uint32_t instance_of(ActorId actor, const Collective& operation, TimePoint begin);
  std::uint32_t cause_of(ActorId actor, const Operation& operation, std::uint32_t instance, TimePoint end);
  std::uint32_t cause_of_wait(Rank& rank, const Observe& observe, TimePoint end);
  std::uint32_t add_cause(const WaitCause& cause);
  std::uint32_t add_collective_cause(std::uint32_t instance);
  std::uint32_t add_probe_cause(const Rank& rank, TimePoint end);
  ProfilePair& pair_of(std::uint32_t source, std::uint32_t destination);
  void add_segment(ActorId actor, const Segment& segment);
  void sum_up(TimeProfile& profile);

  trace::ReplayedProgram* program_ = nullptr;
  std::vector<Rank> ranks_;
  WaitCauses log_;
  std::vector<ProfileRow> rows_;
  std::vector<ProfileRank> rank_sums_;
  std::vector<std::uint32_t> rows_of_sites_;  // by twice the site, and one more for computation; 0: none yet, else + 1
  std::map<std::string, std::uint32_t, std::less<>> rows_of_actions_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ProfilePair> pairs_;
  std::map<std::uint64_t, ProfileSize> sizes_;
  std::unordered_map<std::uint64_t, Flight> flights_;        // by name of the send
  std::unordered_map<std::uint64_t, std::uint32_t> probed_;  // by name of the send: its cause, without a date yet
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> instances_;  // by context and number, while open
};

}  // namespace rehearse::app
