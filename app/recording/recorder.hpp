// SPDX-License-Identifier: MIT
//
// Records the events of a timed run.
//
// Protocol: make it before the first start of the cost model, and give it to the engine as its timeline. Call finish()
//           once after the run, while the program is still in its state at the end.
// Cost:     the text of the call and two table look-ups for each call; a place is resolved once for each rank and site.
// Ownership: program, platform and cost model must outlive it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/recording.hpp"
#include "app/recording/resource_recorder.hpp"
#include "simcore/engine.hpp"
#include "simcore/program.hpp"
#include "simcore/timeline.hpp"

namespace rehearse::app {

class Recorder final : public Timeline {
 public:
  // With `costs`, links and hosts are recorded, too.
  Recorder(Program& program, const Platform& platform, CostModel* costs);

  void on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) override;
  void on_computation(ActorId actor, TimePoint begin, TimePoint end) override;
  void on_delivery(const Delivery& delivery) override;
  void on_inner_delivery(const InnerDelivery& delivery) override;

  Recording finish(const RunResult& result);

 private:
  struct RankState {
    std::uint32_t last = none;                                     // interval
    std::uint64_t call_number = 0;                                 // of the last interval; 0: of no call
    std::vector<std::uint32_t> starts;                             // by request: the interval that started it
    std::vector<std::uint32_t> ends;                               // by request: the last interval that observed it
    std::vector<std::uint32_t> messages;                           // by request, of sends
    std::unordered_map<std::uint32_t, std::uint64_t> collectives;  // by context: the number so far
    std::unordered_map<std::uint64_t, std::uint32_t> places;       // by site
  };

  std::uint32_t interval_of(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end);
  bool repeats_last(const Interval& interval, std::uint32_t last) const;
  std::uint32_t place_of(ActorId actor, RankState& rank);
  std::uint32_t add_place(const CallDescription& description);
  std::uint32_t context_number(ContextId context);
  void note(ActorId actor, std::uint32_t interval, const Send& send, TimePoint begin);
  void note_start(RankState& rank, RequestId request, std::uint32_t interval);
  std::uint32_t collective_of(RankState& rank, const Collective& operation);
  RecordedMessage& message(ActorId source, RequestId send);
  void add_stops(const RunResult& result);
  std::uint32_t last_stand(ActorId actor, const RunResult& result);
  void add_waits(const Outcome& outcome);
  void add_edges(std::span<const HostId> hosts);

  Program& program_;
  const Platform& platform_;
  std::optional<ResourceRecorder> resources_;
  Recording recording_;
  std::vector<RankState> ranks_;
  std::vector<std::pair<std::uint32_t, RequestId>> receives_;     // by message: of its destination; {none}: unmatched
  std::vector<RequestId> sends_;                                  // by message
  std::vector<std::pair<std::uint32_t, RequestId>> nonblocking_;  // collectives, by interval
  std::unordered_map<std::uint64_t, std::uint32_t> contexts_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> collectives_;  // by context and number
  std::map<RecordedPlace, std::uint32_t> places_;
};

}  // namespace rehearse::app
